CALIBRATION = config["calibration"]


rule measure_calibration:
    """Calibrate all metrics on one model with one test."""
    input:
        source=audited_model_files,
        words=audit_resources,
    output:
        page="results/calibration/{model}/{test}/index.html",
        settings="results/calibration/{model}/{test}/calibration.json",
        tables=expand(
            "results/calibration/{{model}}/{{test}}/{table}.csv",
            table=["nulls", "values", "power", "summary", "skipped"],
        ),
    log:
        "results/logs/calibration/{model}/{test}.log",
    wildcard_constraints:
        test="[^/]+",
    threads: config["threads"]
    resources:
        mem_mb=memory(3),
        runtime=minutes(120),
    params:
        path=audited_model_path,
        tests=config["audit"]["tests"],
        options={key: CALIBRATION[key] for key in ("samples", "null_samples", "permutations")},
        metrics=audit_metrics,
        seed=config["seed"],
    script:
        "../scripts/calibration/measure.py"


rule calibrate:
    """Join the calibrations of all models with all tests."""
    input:
        calibrations=calibrations("calibration.json"),
        tables=calibrations("summary.csv"),
    output:
        calibration="results/calibration/calibration.csv",
        skipped="results/calibration/skipped.csv",
    log:
        "results/logs/calibration/join.log",
    params:
        models=list(settings.measured_models(config)),  # the board's numbers are of the first
    script:
        "../scripts/calibration/join.py"


rule calibration:
    """How often do tests find an association where there is none on your own models, and which dose do they find?"""
    input:
        rules.calibrate.output,
        calibrations("index.html"),

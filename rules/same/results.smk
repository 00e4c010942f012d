SAME_METRICS = {name: config["own_metrics"].get(name, name) for name in SAME["metrics"]}
SAME_SCORES = {
    "models": "results/same/models.csv",
    "bias": "results/same/bias.csv",
    "scores": expand("results/same/scores/{metric}.csv", metric=SAME["metrics"]),
}


rule correlate_same:
    """Correlate word-level scores with the planted bias, also by bias direction (Figures 6 to 8)."""
    input:
        **SAME_SCORES,
        directions="results/same/directions.csv",
        published=in_workflow("resources/published/same.csv"),
    output:
        correlations=in_report("results/same/tables/correlations.csv", "Word level: R² by model"),
        summary=in_report("results/same/tables/summary.csv", "Word level: R² by metric (Figure 6)"),
        comparisons=in_report("results/same/tables/comparisons.csv", "Word level: tests between metrics"),
        differences="results/same/tables/differences.csv",
        angles=in_report("results/same/tables/angles.csv", "Angle between bias directions (§5.2.1)"),
        directions=in_report("results/same/tables/directions.csv", "Angles between all bias directions"),
    log:
        "results/logs/same/correlate.log",
    conda:
        "../../envs/biassay.yaml"
    params:
        metrics=SAME_METRICS,
        resamples=SAME["resamples"],
        seed=config["seed"],
    script:
        "../../scripts/same/correlate.py"


rule correlate_same_sets:
    """Correlate set-level scores with the unmasking bias of all occupations (Figure 9)."""
    input:
        **SAME_SCORES,
        published=in_workflow("resources/published/same.csv"),
    output:
        sets=in_report("results/same/tables/sets.csv", "Set level: R² (Figure 9)"),
        set_comparisons=in_report("results/same/tables/set_comparisons.csv", "Set level: tests between metrics"),
    log:
        "results/logs/same/correlate_sets.log",
    conda:
        "../../envs/biassay.yaml"
    params:
        metrics=SAME_METRICS,
        resamples=SAME["resamples"],
        seed=config["seed"],
    script:
        "../../scripts/same/correlate_sets.py"


rule measure_same_variability:
    """Measure retraining and subsampling variability of scores (Tables 2 and 3)."""
    input:
        **SAME_SCORES,
        subsets=expand("results/same/subsets/{metric}.csv", metric=SAME["metrics"]),
        published=in_workflow("resources/published/same.csv"),
    output:
        retraining_variability=in_report(
            "results/same/tables/retraining_variability.csv", "Retraining variability (Table 2)"
        ),
        subsampling_variability=in_report(
            "results/same/tables/subsampling_variability.csv", "Subsampling variability (Table 3)"
        ),
    log:
        "results/logs/same/variability.log",
    conda:
        "../../envs/biassay.yaml"
    params:
        metrics=SAME_METRICS,
        resamples=SAME["resamples"],
        seed=config["seed"],
    script:
        "../../scripts/same/measure_variability.py"


SAME_VARIABILITY = {
    "retraining_variability": rules.measure_same_variability.output.retraining_variability,
    "subsampling_variability": rules.measure_same_variability.output.subsampling_variability,
}

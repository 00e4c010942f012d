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
        correlations="results/same/tables/correlations.csv",
        summary="results/same/tables/summary.csv",
        comparisons="results/same/tables/comparisons.csv",
        differences="results/same/tables/differences.csv",
        angles="results/same/tables/angles.csv",
        directions="results/same/tables/directions.csv",
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
        sets="results/same/tables/sets.csv",
        set_comparisons="results/same/tables/set_comparisons.csv",
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
        retraining_variability="results/same/tables/retraining_variability.csv",
        subsampling_variability="results/same/tables/subsampling_variability.csv",
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

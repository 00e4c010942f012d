SAME_SCORES = {
    "models": "results/same/models.csv",
    "bias": "results/same/bias.csv",
    "scores": expand("results/same/scores/{metric}.csv", metric=SAME["metrics"]),
}


rule tabulate_same:
    """Compare scores with the planted bias, and with those of retrained models and of half the occupations."""
    input:
        **SAME_SCORES,
        subsets=expand("results/same/subsets/{metric}.csv", metric=SAME["metrics"]),
        angles=rules.measure_same_vectors.output.angles,
        published=in_workflow("resources/published/same.csv"),
    output:
        correlations="results/same/tables/correlations.csv",
        summary="results/same/tables/summary.csv",
        comparisons="results/same/tables/comparisons.csv",
        differences="results/same/tables/differences.csv",
        angles="results/same/tables/angles.csv",
        directions="results/same/tables/directions.csv",
        sets="results/same/tables/sets.csv",
        set_comparisons="results/same/tables/set_comparisons.csv",
        retraining_variability="results/same/tables/retraining_variability.csv",
        subsampling_variability="results/same/tables/subsampling_variability.csv",
    log:
        "results/logs/same/tabulate.log",
    conda:
        "../../envs/biassay.yaml"
    params:
        metrics={name: config["own_metrics"].get(name, name) for name in SAME["metrics"]},
        resamples=SAME["resamples"],
        seed=config["seed"],
    script:
        "../../scripts/same/tabulate.py"

SAME_METRICS = {name: config["own_metrics"].get(name, name) for name in SAME["metrics"]}
SAME_SCORES = {
    "models": "results/same/models.csv",
    "bias": "results/same/bias.csv",
    "scores": expand("results/same/scores/{metric}.csv", metric=SAME["metrics"]),
}


rule correlate_same:
    """Correlate words' scores with the bias that was planted (F6), also by bias direction (F7, F8)."""
    input:
        **SAME_SCORES,
        directions="results/same/directions.csv",
        published=in_workflow("resources/published/same.csv"),
    output:
        correlations=in_report("results/same/tables/correlations.csv", "Words: R² by model"),
        summary=in_report("results/same/tables/summary.csv", "Words: R² by metric (Figure 6)"),
        comparisons=in_report("results/same/tables/comparisons.csv", "Words: is one metric's R² more than another's?"),
        differences="results/same/tables/differences.csv",
        angles=in_report("results/same/tables/angles.csv", "Angle between bias directions (§5.2.1)"),
        directions=in_report("results/same/tables/directions.csv", "Angles between all bias directions"),
    log:
        "results/logs/same/correlate.log",
    conda:
        "../../envs/biassay.yaml"
    resources:
        **job_resources("correlate_same"),
    params:
        code=code("same/correlate"),
        metrics=SAME_METRICS,
        resamples=SAME["resamples"],
        seed=config["seed"],
    script:
        "../../scripts/same/correlate.py"


rule correlate_same_sets:
    """Correlate scores of sets with what unmasking says of all occupations (F9)."""
    input:
        **SAME_SCORES,
        published=in_workflow("resources/published/same.csv"),
    output:
        sets=in_report("results/same/tables/sets.csv", "Sets: R² (Figure 9)"),
        set_comparisons=in_report("results/same/tables/set_comparisons.csv", "Sets: is one metric's R² more?"),
    log:
        "results/logs/same/correlate_sets.log",
    conda:
        "../../envs/biassay.yaml"
    resources:
        **job_resources("correlate_same_sets"),
    params:
        code=code("same/correlate_sets"),
        metrics=SAME_METRICS,
        resamples=SAME["resamples"],
        seed=config["seed"],
    script:
        "../../scripts/same/correlate_sets.py"


rule measure_same_variability:
    """Measure how far scores depend on chance: on the repeat (T2), on the part of the occupations (T3)."""
    input:
        **SAME_SCORES,
        subsets=expand("results/same/subsets/{metric}.csv", metric=SAME["metrics"]),
        published=in_workflow("resources/published/same.csv"),
    output:
        retraining_variability=in_report("results/same/tables/retraining_variability.csv", "Repeats (Table 2)"),
        subsampling_variability=in_report("results/same/tables/subsampling_variability.csv", "Parts of the occupations (Table 3)"),
    log:
        "results/logs/same/variability.log",
    conda:
        "../../envs/biassay.yaml"
    resources:
        **job_resources("measure_same_variability"),
    params:
        code=code("same/measure_variability"),
        metrics=SAME_METRICS,
        resamples=SAME["resamples"],
        seed=config["seed"],
    script:
        "../../scripts/same/measure_variability.py"


SAME_CHANCE = {
    "retraining_variability": rules.measure_same_variability.output.retraining_variability,
    "subsampling_variability": rules.measure_same_variability.output.subsampling_variability,
}

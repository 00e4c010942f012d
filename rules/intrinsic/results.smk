rule tabulate_intrinsic:
    """Compare scores with the bias in the data and in the model, and measure the reliability of both."""
    input:
        **INTRINSIC_ENCODED,
        scores=expand("results/intrinsic/scores/{metric}.csv", metric=INTRINSIC["metrics"]),
        subsets=expand("results/intrinsic/subsets/{metric}.csv", metric=INTRINSIC["metrics"]),
        published=in_workflow("resources/published/intrinsic.csv"),
    output:
        correlations="results/intrinsic/tables/correlations.csv",
        words="results/intrinsic/tables/words.csv",
        signs="results/intrinsic/tables/signs.csv",
        comparisons="results/intrinsic/tables/comparisons.csv",
        sets="results/intrinsic/tables/sets.csv",
        set_comparisons="results/intrinsic/tables/set_comparisons.csv",
        reliability="results/intrinsic/tables/reliability.csv",
        reliability_curve="results/intrinsic/tables/reliability_curve.csv",
        retraining_variability="results/intrinsic/tables/retraining_variability.csv",
        intersections="results/intrinsic/tables/intersections.csv",
        joint_groups="results/intrinsic/tables/joint_groups.csv",
        power="results/intrinsic/tables/power.csv",
        min_detectable_effect="results/intrinsic/tables/min_detectable_effect.csv",
    log:
        "results/logs/intrinsic/tabulate.log",
    conda:
        "../../envs/biassay.yaml"
    params:
        metrics={name: metric["metric"] for name, metric in INTRINSIC_METRICS.items()},
        pairs=INTRINSIC["intersections"],
        reliability=INTRINSIC["reliability"],
        n_subsets=INTRINSIC["subsets"],
        resamples=INTRINSIC["resamples"],
        seed=config["seed"],
    script:
        "../../scripts/intrinsic/tabulate.py"

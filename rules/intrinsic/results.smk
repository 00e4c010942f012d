INTRINSIC_FILES = {name: metric["metric"] for name, metric in INTRINSIC_METRICS.items()}
INTRINSIC_SCORES = INTRINSIC_MODELS | {
    "scores": expand("results/intrinsic/scores/{metric}.csv", metric=INTRINSIC["metrics"])
}
INTRINSIC_RESAMPLES = {"resamples": INTRINSIC["resamples"], "seed": config["seed"]}


rule correlate_intrinsic:
    """Correlate word-level scores with the bias in the data and in the model, and with each other (Figure 2)."""
    input:
        **INTRINSIC_SCORES,
        published=in_workflow("resources/published/intrinsic.csv"),
    output:
        correlations="results/intrinsic/tables/correlations.csv",
        words="results/intrinsic/tables/words.csv",
        signs="results/intrinsic/tables/signs.csv",
        comparisons="results/intrinsic/tables/comparisons.csv",
    log:
        "results/logs/intrinsic/correlate.log",
    conda:
        "../../envs/biassay.yaml"
    params:
        **INTRINSIC_RESAMPLES,
        metrics=INTRINSIC_FILES,
    script:
        "../../scripts/intrinsic/correlate.py"


rule correlate_intrinsic_sets:
    """Correlate set-level scores with the mean bias in the data and in the model, and with each other (Figure 3)."""
    input:
        **INTRINSIC_SCORES,
    output:
        sets="results/intrinsic/tables/sets.csv",
        set_comparisons="results/intrinsic/tables/set_comparisons.csv",
    log:
        "results/logs/intrinsic/correlate_sets.log",
    conda:
        "../../envs/biassay.yaml"
    params:
        **INTRINSIC_RESAMPLES,
        metrics=INTRINSIC_FILES,
    script:
        "../../scripts/intrinsic/correlate_sets.py"


rule measure_intrinsic_templates:
    """Measure how often other templates rank the groups differently (Table 3), also for fewer of them."""
    input:
        **INTRINSIC_ENCODED,
        published=in_workflow("resources/published/intrinsic.csv"),
    output:
        reliability="results/intrinsic/tables/reliability.csv",
        reliability_curve="results/intrinsic/tables/reliability_curve.csv",
    log:
        "results/logs/intrinsic/templates.log",
    conda:
        "../../envs/biassay.yaml"
    params:
        reliability=INTRINSIC["reliability"],
        seed=config["seed"],
    script:
        "../../scripts/intrinsic/measure_templates.py"


rule measure_intrinsic_variability:
    """Measure retraining variability: differences between models of one distribution (Table 4)."""
    input:
        **INTRINSIC_SCORES,
        published=in_workflow("resources/published/intrinsic.csv"),
    output:
        "results/intrinsic/tables/retraining_variability.csv",
    log:
        "results/logs/intrinsic/retraining_variability.log",
    conda:
        "../../envs/biassay.yaml"
    params:
        metrics=INTRINSIC_FILES,
    script:
        "../../scripts/intrinsic/measure_variability.py"


rule measure_intrinsic_intersections:
    """Compare the joint probabilities of two attributes' groups in the models with those in the data."""
    input:
        **INTRINSIC_ENCODED,
    output:
        summary="results/intrinsic/tables/intersections.csv",
        groups="results/intrinsic/tables/joint_groups.csv",
    log:
        "results/logs/intrinsic/intersections.log",
    conda:
        "../../envs/biassay.yaml"
    params:
        **INTRINSIC_RESAMPLES,
        pairs=INTRINSIC["intersections"],
    script:
        "../../scripts/intrinsic/measure_intersections.py"


rule detect_intrinsic:
    """Compute each metric's power by planted bias, and its minimum detectable effect."""
    input:
        **INTRINSIC_MODELS,
        subsets=expand("results/intrinsic/subsets/{metric}.csv", metric=INTRINSIC["metrics"]),
    output:
        power="results/intrinsic/tables/power.csv",
        min_detectable_effect="results/intrinsic/tables/min_detectable_effect.csv",
    log:
        "results/logs/intrinsic/detect.log",
    conda:
        "../../envs/biassay.yaml"
    params:
        metrics=INTRINSIC_FILES,
        n_subsets=INTRINSIC["subsets"],
        seed=config["seed"],
    script:
        "../../scripts/intrinsic/detect.py"

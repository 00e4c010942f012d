INTRINSIC_FILES = {name: metric["metric"] for name, metric in INTRINSIC_METRICS.items()}
INTRINSIC_SCORES = INTRINSIC_MODELS | {
    "scores": expand("results/intrinsic/scores/{metric}.csv", metric=INTRINSIC["metrics"])
}
INTRINSIC_DRAWS = {"resamples": INTRINSIC["resamples"], "seed": config["seed"]}


rule correlate_intrinsic:
    """Correlate words' scores with the bias in the data and in the model, and with each other (F2)."""
    input:
        **INTRINSIC_SCORES,
        published=in_workflow("resources/published/intrinsic.csv"),
    output:
        correlations="results/intrinsic/tables/correlations.csv",
        words=in_report("results/intrinsic/tables/words.csv", "Words: correlations (Figure 2)"),
        signs=in_report("results/intrinsic/tables/signs.csv", "Words: which way, two groups"),
        comparisons=in_report("results/intrinsic/tables/comparisons.csv", "Words: does one metric follow it more?"),
    log:
        "results/logs/intrinsic/correlate.log",
    conda:
        "../../envs/biassay.yaml"
    resources:
        **SMALL,
    params:
        **INTRINSIC_DRAWS,
        code=code("intrinsic/correlate"),
        metrics=INTRINSIC_FILES,
    script:
        "../../scripts/intrinsic/correlate.py"


rule correlate_intrinsic_sets:
    """Correlate scores of sets with the mean bias in the data and in the model, and with each other (F3)."""
    input:
        **INTRINSIC_SCORES,
    output:
        sets=in_report("results/intrinsic/tables/sets.csv", "Sets: correlations (Figure 3)"),
        set_comparisons=in_report("results/intrinsic/tables/set_comparisons.csv", "Sets: is one metric's R² more?"),
    log:
        "results/logs/intrinsic/correlate_sets.log",
    conda:
        "../../envs/biassay.yaml"
    resources:
        **SMALL,
    params:
        **INTRINSIC_DRAWS,
        code=code("intrinsic/correlate_sets"),
        metrics=INTRINSIC_FILES,
    script:
        "../../scripts/intrinsic/correlate_sets.py"


rule measure_intrinsic_templates:
    """Measure how often the order of the groups changes with other templates (T3), and how many are enough."""
    input:
        **INTRINSIC_ENCODED,
        published=in_workflow("resources/published/intrinsic.csv"),
    output:
        reliability=in_report("results/intrinsic/tables/reliability.csv", "Templates: reliability (Table 3)"),
        reliability_curve=in_report("results/intrinsic/tables/reliability_curve.csv", "Templates: how many are enough"),
    log:
        "results/logs/intrinsic/templates.log",
    conda:
        "../../envs/biassay.yaml"
    resources:
        **job_resources("measure_intrinsic_templates", runtime=30),
    params:
        code=code("intrinsic/measure_templates"),
        reliability=INTRINSIC["reliability"],
        seed=config["seed"],
    script:
        "../../scripts/intrinsic/measure_templates.py"


rule measure_intrinsic_variability:
    """Compare the scores of models of the same distribution (T4)."""
    input:
        **INTRINSIC_SCORES,
        published=in_workflow("resources/published/intrinsic.csv"),
    output:
        in_report("results/intrinsic/tables/retraining_variability.csv", "Repeats (Table 4)"),
    log:
        "results/logs/intrinsic/retraining_variability.log",
    conda:
        "../../envs/biassay.yaml"
    resources:
        **SMALL,
    params:
        code=code("intrinsic/measure_variability"),
        metrics=INTRINSIC_FILES,
    script:
        "../../scripts/intrinsic/measure_variability.py"


rule measure_intrinsic_intersections:
    """Read the groups of two attributes at once out of the models, beside those planted."""
    input:
        **INTRINSIC_ENCODED,
    output:
        summary=in_report("results/intrinsic/tables/intersections.csv", "Two attributes at once"),
        groups=in_report("results/intrinsic/tables/joint_groups.csv", "Two attributes at once: mean probabilities"),
    log:
        "results/logs/intrinsic/intersections.log",
    conda:
        "../../envs/biassay.yaml"
    resources:
        **SMALL,
    params:
        **INTRINSIC_DRAWS,
        code=code("intrinsic/measure_intersections"),
        pairs=INTRINSIC["intersections"],
    script:
        "../../scripts/intrinsic/measure_intersections.py"


rule detect_intrinsic:
    """Find the smallest planted bias that each metric tells from none."""
    input:
        **INTRINSIC_MODELS,
        subsets=expand("results/intrinsic/subsets/{metric}.csv", metric=INTRINSIC["metrics"]),
    output:
        power=in_report("results/intrinsic/tables/power.csv", "Detection: power by planted bias"),
        min_detectable_effect=in_report("results/intrinsic/tables/min_detectable_effect.csv", "Detection: the smallest bias"),
    log:
        "results/logs/intrinsic/detect.log",
    conda:
        "../../envs/biassay.yaml"
    resources:
        **SMALL,
    params:
        code=code("intrinsic/detect"),
        metrics=INTRINSIC_FILES,
        n_subsets=INTRINSIC["subsets"],
        seed=config["seed"],
    script:
        "../../scripts/intrinsic/detect.py"

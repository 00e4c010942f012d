SAME_METRICS = {name: config["own_metrics"].get(name, name) for name in SAME["metrics"]}
SAME_SCORES = expand("results/same/scores/{metric}.csv", metric=SAME["metrics"])


rule correlate_same:
    """Correlate scores with the bias that was planted: of words (F6), by bias direction (F7, F8), of sets (F9)."""
    input:
        models="results/same/models.csv",
        bias="results/same/bias.csv",
        scores=SAME_SCORES,
        directions="results/same/directions.csv",
        published=in_workflow("resources/published/same.csv"),
        code=code("same/correlate"),
    output:
        correlations=in_report("results/same/tables/correlations.csv", "Words: R² by model"),
        summary=in_report("results/same/tables/summary.csv", "Words: R² by metric (Figure 6)"),
        differences="results/same/tables/differences.csv",
        comparisons=in_report("results/same/tables/comparisons.csv", "Words: is one metric's R² more than another's?"),
        angles=in_report("results/same/tables/angles.csv", "Angle between bias directions (§5.2.1)"),
        directions=in_report("results/same/tables/directions.csv", "Angles between all bias directions"),
        sets=in_report("results/same/tables/sets.csv", "Sets: R² (Figure 9)"),
        set_comparisons=in_report("results/same/tables/set_comparisons.csv", "Sets: is one metric's R² more?"),
    log:
        "results/logs/same/correlate.log",
    conda:
        "../../envs/biassay.yaml"
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        metrics=SAME_METRICS,
        bootstrap=SAME["bootstrap"],
        seed=config["seed"],
    script:
        "../../scripts/same/correlate.py"


rule measure_same_stability:
    """Measure how far scores depend on chance: on the repeat (T2), on the part of the occupations (T3)."""
    input:
        models="results/same/models.csv",
        bias="results/same/bias.csv",
        scores=SAME_SCORES,
        subsets=expand("results/same/subsets/{metric}.csv", metric=SAME["metrics"]),
        published=in_workflow("resources/published/same.csv"),
        code=code("same/measure_stability"),
    output:
        consistency=in_report("results/same/tables/consistency.csv", "Repeats (Table 2)"),
        robustness=in_report("results/same/tables/robustness.csv", "Parts of the occupations (Table 3)"),
    log:
        "results/logs/same/stability.log",
    conda:
        "../../envs/biassay.yaml"
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        metrics=SAME_METRICS,
        bootstrap=SAME["bootstrap"],
        seed=config["seed"],
    script:
        "../../scripts/same/measure_stability.py"


rule plot_same_words:
    """Draw F6 to F8: R² of words' scores with the planted bias, and the angle between bias directions."""
    input:
        correlations=rules.correlate_same.output.correlations,
        summary=rules.correlate_same.output.summary,
        differences=rules.correlate_same.output.differences,
        angles=rules.correlate_same.output.angles,
        code=code("same/plot_words"),
    output:
        words=figure("results/same/figures/words", "Words: R² of all models (Figure 6)"),
        angles=figure("results/same/figures/angles", "SAME, Direct Bias and the angle (Figures 7, 8)"),
    log:
        "results/logs/same/figures/words.log",
    conda:
        "../../envs/biassay.yaml"
    resources:
        **SMALL,
    script:
        "../../scripts/same/plot_words.py"


rule plot_same_examples:
    """Draw single models: one by all metrics (F5), two by SAME and Direct Bias (F7, F8)."""
    input:
        models="results/same/models.csv",
        bias="results/same/bias.csv",
        scores=SAME_SCORES,
        correlations=rules.correlate_same.output.correlations,
        angles=rules.correlate_same.output.angles,
        code=code("same/plot_examples"),
    output:
        example=figure("results/same/figures/example", "Words: one model (Figure 5)"),
        examples=figure("results/same/figures/examples", "SAME and Direct Bias: two models (Figures 7, 8)"),
    log:
        "results/logs/same/figures/examples.log",
    conda:
        "../../envs/biassay.yaml"
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        metrics=SAME["metrics"],
    script:
        "../../scripts/same/plot_examples.py"


rule plot_same_sets:
    """Draw T2, T3 and F9: repeats, parts of the occupations, scores of sets against the unmasking bias."""
    input:
        consistency=rules.measure_same_stability.output.consistency,
        robustness=rules.measure_same_stability.output.robustness,
        sets=rules.correlate_same.output.sets,
        code=code("same/plot_sets"),
    output:
        consistency=figure("results/same/figures/consistency", "Repeats (Table 2 as a figure)"),
        robustness=figure("results/same/figures/robustness", "Parts of the occupations (Table 3 as a figure)"),
        sets=figure("results/same/figures/sets", "Sets: R² (Figure 9)"),
    log:
        "results/logs/same/figures/sets.log",
    conda:
        "../../envs/biassay.yaml"
    resources:
        **SMALL,
    script:
        "../../scripts/same/plot_sets.py"


rule demonstrate_effect_size:
    """Show that the effect size falls when more stereotyped words replace milder ones (F2)."""
    input:
        models="results/same/models.csv",
        bias="results/same/bias.csv",
        plan=rules.plan_same.output.plan,
        occupations=rules.plan_same.output.occupations,
        encoded=rules.gate_same.input.encoded,
        code=code("same/demonstrate_effect_size"),
    output:
        table=in_report("results/same/tables/effect_size.csv", "Effect size of four occupations (Figure 2)"),
        figure=figure("results/same/figures/effect_size", "Effect size of four occupations (Figure 2)"),
    log:
        "results/logs/same/effect_size.log",
    conda:
        "../../envs/biassay.yaml"
    resources:
        **SMALL,
    params:
        pooling=SAME["pooling"],
    script:
        "../../scripts/same/demonstrate_effect_size.py"


rule answer_same:
    """Answer the study's question in one page: does a metric see the bias that was trained in?"""
    input:
        models="results/same/models.csv",
        summary=rules.correlate_same.output.summary,
        comparisons=rules.correlate_same.output.comparisons,
        sets=rules.correlate_same.output.sets,
        set_comparisons=rules.correlate_same.output.set_comparisons,
        consistency=rules.measure_same_stability.output.consistency,
        robustness=rules.measure_same_stability.output.robustness,
        code=code("same/answer"),
    output:
        in_report("results/same/answer.html", "Does a metric see the bias that was trained in?"),
    log:
        "results/logs/same/answer.log",
    conda:
        "../../envs/biassay.yaml"
    resources:
        **SMALL,
    params:
        gate=SAME["gate"],
    script:
        "../../scripts/same/answer.py"


rule same:
    """Does a metric see the bias that was trained into a language model?"""
    input:
        rules.gate_same.output,
        rules.answer_same.output,
        rules.correlate_same.output,
        rules.measure_same_stability.output,
        rules.plot_same_words.output,
        rules.plot_same_examples.output,
        rules.plot_same_sets.output,
        rules.demonstrate_effect_size.output,

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
        code=code("correlate_same"),
    output:
        correlations=same_in_report("tables/correlations.csv", "Words: R² by model"),
        summary=same_in_report("tables/summary.csv", "Words: R² by metric (Figure 6)"),
        differences="results/same/tables/differences.csv",
        angles=same_in_report("tables/angles.csv", "Angle between bias directions (§5.2.1)"),
        directions=same_in_report("tables/directions.csv", "Angles between all bias directions"),
        sets=same_in_report("tables/sets.csv", "Sets: R² (Figure 9)"),
    log:
        "results/logs/same/correlate.log",
    conda:
        "../envs/biassay.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        metrics=SAME_METRICS,
        bootstrap=SAME["bootstrap"],
        seed=config["seed"],
    script:
        "../scripts/correlate_same.py"


rule measure_same_stability:
    """Measure how far scores depend on chance: on the repeat (T2), on the part of the occupations (T3)."""
    input:
        models="results/same/models.csv",
        bias="results/same/bias.csv",
        scores=SAME_SCORES,
        subsets=expand("results/same/subsets/{metric}.csv", metric=SAME["metrics"]),
        published=in_workflow("resources/published/same.csv"),
        code=code("measure_same_stability"),
    output:
        consistency=same_in_report("tables/consistency.csv", "Repeats (Table 2)"),
        robustness=same_in_report("tables/robustness.csv", "Parts of the occupations (Table 3)"),
    log:
        "results/logs/same/stability.log",
    conda:
        "../envs/biassay.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        metrics=SAME_METRICS,
        bootstrap=SAME["bootstrap"],
        seed=config["seed"],
    script:
        "../scripts/measure_same_stability.py"


rule plot_same_words:
    """Draw F5 to F8: scores of words against the planted bias, and the angle between bias directions."""
    input:
        models="results/same/models.csv",
        bias="results/same/bias.csv",
        scores=SAME_SCORES,
        correlations=rules.correlate_same.output.correlations,
        summary=rules.correlate_same.output.summary,
        differences=rules.correlate_same.output.differences,
        angles=rules.correlate_same.output.angles,
        code=code("plot_same_words"),
    output:
        example=same_in_report("figures/example.svg", "Words: one model (Figure 5)"),
        words=same_in_report("figures/words.svg", "Words: R² of all models (Figure 6)"),
        angles=same_in_report("figures/angles.svg", "SAME, Direct Bias and the angle (Figures 7, 8)"),
        example_png="results/same/figures/example.png",
        words_png="results/same/figures/words.png",
        angles_png="results/same/figures/angles.png",
    log:
        "results/logs/same/figures/words.log",
    conda:
        "../envs/biassay.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        metrics=SAME["metrics"],
    script:
        "../scripts/plot_same_words.py"


rule plot_same_sets:
    """Draw T2, T3 and F9: repeats, parts of the occupations, scores of sets against the unmasking bias."""
    input:
        consistency=rules.measure_same_stability.output.consistency,
        robustness=rules.measure_same_stability.output.robustness,
        sets=rules.correlate_same.output.sets,
        code=code("plot_same_sets"),
    output:
        consistency=same_in_report("figures/consistency.svg", "Repeats (Table 2 as a figure)"),
        robustness=same_in_report("figures/robustness.svg", "Parts of the occupations (Table 3 as a figure)"),
        sets=same_in_report("figures/sets.svg", "Sets: R² (Figure 9)"),
        consistency_png="results/same/figures/consistency.png",
        robustness_png="results/same/figures/robustness.png",
        sets_png="results/same/figures/sets.png",
    log:
        "results/logs/same/figures/sets.log",
    conda:
        "../envs/biassay.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    script:
        "../scripts/plot_same_sets.py"


rule demonstrate_effect_size:
    """Show that the effect size falls when more stereotyped words replace milder ones (F2)."""
    input:
        code=code("demonstrate_effect_size"),
    output:
        table=same_in_report("tables/effect_size.csv", "Effect size of made-up words (Figure 2)"),
        figure=same_in_report("figures/effect_size.svg", "Effect size of made-up words (Figure 2)"),
        figure_png="results/same/figures/effect_size.png",
    log:
        "results/logs/same/effect_size.log",
    conda:
        "../envs/biassay.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    script:
        "../scripts/demonstrate_effect_size.py"


rule answer_same:
    """Answer the study's question in one page: does a metric see the bias that was trained in?"""
    input:
        models="results/same/models.csv",
        summary=rules.correlate_same.output.summary,
        sets=rules.correlate_same.output.sets,
        consistency=rules.measure_same_stability.output.consistency,
        robustness=rules.measure_same_stability.output.robustness,
        code=code("answer_same"),
    output:
        same_in_report("answer.html", "Does a metric see the bias that was trained in?"),
    log:
        "results/logs/same/answer.log",
    conda:
        "../envs/biassay.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        gate=SAME["gate"],
    script:
        "../scripts/answer_same.py"


rule same:
    """Does a metric see the bias that was trained into a language model?"""
    input:
        rules.gate_models.output,
        rules.answer_same.output,
        rules.correlate_same.output,
        rules.measure_same_stability.output,
        rules.plot_same_words.output,
        rules.plot_same_sets.output,
        rules.demonstrate_effect_size.output,

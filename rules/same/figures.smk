rule plot_same_words:
    """Draw F6 to F8: R² of words' scores with the planted bias, and the angle between bias directions."""
    input:
        **rules.correlate_same.output,
    output:
        words=figure("results/same/figures/words", "Words: R² of all models (Figure 6)"),
        angles=figure("results/same/figures/angles", "SAME, Direct Bias and the angle (Figures 7, 8)"),
    log:
        "results/logs/same/figures/words.log",
    conda:
        "../../envs/biassay.yaml"
    resources:
        **SMALL,
    params:
        code=code("same/plot_words"),
    script:
        "../../scripts/same/plot_words.py"


rule plot_same_examples:
    """Draw single models: one by all metrics (F5), two by SAME and Direct Bias (F7, F8)."""
    input:
        **SAME_SCORES,
        correlations=rules.correlate_same.output.correlations,
        angles=rules.correlate_same.output.angles,
    output:
        example=figure("results/same/figures/example", "Words: one model (Figure 5)"),
        examples=figure("results/same/figures/examples", "SAME and Direct Bias: two models (Figures 7, 8)"),
    log:
        "results/logs/same/figures/examples.log",
    conda:
        "../../envs/biassay.yaml"
    resources:
        **job_resources("plot_same_examples"),
    params:
        code=code("same/plot_examples"),
        metrics=SAME["metrics"],
    script:
        "../../scripts/same/plot_examples.py"


rule plot_same_sets:
    """Draw T2, T3 and F9: repeats, parts of the occupations, scores of sets against the unmasking bias."""
    input:
        **SAME_CHANCE,
        sets=rules.correlate_same_sets.output.sets,
    output:
        retraining_variability=figure("results/same/figures/retraining_variability", "Repeats (Table 2 as a figure)"),
        subsampling_variability=figure("results/same/figures/subsampling_variability", "Parts of the occupations (Table 3 as a figure)"),
        sets=figure("results/same/figures/sets", "Sets: R² (Figure 9)"),
    log:
        "results/logs/same/figures/sets.log",
    conda:
        "../../envs/biassay.yaml"
    resources:
        **SMALL,
    params:
        code=code("same/plot_sets"),
    script:
        "../../scripts/same/plot_sets.py"


rule demonstrate_effect_size:
    """Show that the effect size falls when more stereotyped words replace milder ones (F2)."""
    input:
        models="results/same/models.csv",
        bias="results/same/bias.csv",
        plan=rules.plan_same.output.plan,
        occupations=rules.plan_same.output.occupations,
        encoded=rules.select_same_models.input.encoded,
    output:
        table=in_report("results/same/tables/effect_size.csv", "Effect size of four occupations (Figure 2)"),
        figure=figure("results/same/figures/effect_size", "Effect size of four occupations (Figure 2)"),
    log:
        "results/logs/same/effect_size.log",
    conda:
        "../../envs/biassay.yaml"
    resources:
        **job_resources("demonstrate_effect_size"),
    params:
        code=code("same/demonstrate_effect_size"),
        pooling=SAME["pooling"],
    script:
        "../../scripts/same/demonstrate_effect_size.py"


rule answer_same:
    """Answer the study's question, in sentences and tables: does a metric see the bias that was trained in?"""
    input:
        **rules.correlate_same.output,
        **rules.correlate_same_sets.output,
        **SAME_CHANCE,
        models="results/same/models.csv",
        effect_size=rules.demonstrate_effect_size.output.table,
    output:
        page=in_report("results/same/answer.html", "Does a metric see the bias that was trained in?"),
        findings="results/same/findings.csv",
    log:
        "results/logs/same/answer.log",
    conda:
        "../../envs/biassay.yaml"
    resources:
        **SMALL,
    params:
        code=code("same/answer"),
        min_r2=SAME["min_r2"],
    script:
        "../../scripts/same/answer.py"


rule same:
    """Does a metric see the bias that was trained into a language model?"""
    input:
        rules.select_same_models.output,
        rules.answer_same.output,
        rules.correlate_same.output,
        rules.correlate_same_sets.output,
        rules.measure_same_variability.output,
        rules.plot_same_words.output,
        rules.plot_same_examples.output,
        rules.plot_same_sets.output,
        rules.demonstrate_effect_size.output,

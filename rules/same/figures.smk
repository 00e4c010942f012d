rule plot_same_words:
    """Draw R² of word-level scores with the planted bias, and the angle between bias directions (Figures 6 to 8)."""
    input:
        **rules.correlate_same.output,
    output:
        words=figure("results/same/figures/words", "Word level: R² of all models (Figure 6)"),
        angles=figure(
            "results/same/figures/angles", "SAME, Direct Bias and the angle between their directions (Figures 7, 8)"
        ),
    log:
        "results/logs/same/figures/words.log",
    conda:
        "../../envs/biassay.yaml"
    script:
        "../../scripts/same/plot_words.py"


rule plot_same_examples:
    """Draw single models: one with all metrics (Figure 5), two with SAME and Direct Bias (Figures 7, 8)."""
    input:
        **SAME_SCORES,
        correlations=rules.correlate_same.output.correlations,
        angles=rules.correlate_same.output.angles,
    output:
        example=figure("results/same/figures/example", "Word level: one model (Figure 5)"),
        examples=figure("results/same/figures/examples", "SAME and Direct Bias: two models (Figures 7, 8)"),
    log:
        "results/logs/same/figures/examples.log",
    conda:
        "../../envs/biassay.yaml"
    params:
        metrics=SAME["metrics"],
    script:
        "../../scripts/same/plot_examples.py"


rule plot_same_sets:
    """Draw retraining and subsampling variability, and set-level R² (Tables 2 and 3, Figure 9)."""
    input:
        **SAME_VARIABILITY,
        sets=rules.correlate_same_sets.output.sets,
    output:
        retraining_variability=figure("results/same/figures/retraining_variability", "Retraining variability (Table 2)"),
        subsampling_variability=figure(
            "results/same/figures/subsampling_variability", "Subsampling variability (Table 3)"
        ),
        sets=figure("results/same/figures/sets", "Set level: R² (Figure 9)"),
    log:
        "results/logs/same/figures/sets.log",
    conda:
        "../../envs/biassay.yaml"
    script:
        "../../scripts/same/plot_sets.py"


rule demonstrate_effect_size:
    """Show that the effect size falls when more stereotyped words replace milder ones (Figure 2)."""
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
    params:
        pooling=SAME["pooling"],
    script:
        "../../scripts/same/demonstrate_effect_size.py"


rule answer_same:
    """Write the answer page and the findings: does a metric follow the trained-in bias?"""
    input:
        **rules.correlate_same.output,
        **rules.correlate_same_sets.output,
        **SAME_VARIABILITY,
        models="results/same/models.csv",
        effect_size=rules.demonstrate_effect_size.output.table,
    output:
        page=in_report("results/same/answer.html", "Does a metric follow the trained-in bias?"),
        findings="results/same/findings.csv",
    log:
        "results/logs/same/answer.log",
    conda:
        "../../envs/biassay.yaml"
    params:
        min_r2=SAME["min_r2"],
    script:
        "../../scripts/same/answer.py"


rule same:
    """Does a metric follow the bias that was trained into a language model?"""
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

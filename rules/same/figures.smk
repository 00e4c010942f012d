rule plot_same_words:
    """Draw R² of word-level scores with the planted bias, and the angle between bias directions (Figures 6 to 8)."""
    input:
        **rules.correlate_same.output,
    output:
        words=multiext("results/same/figures/words", ".svg", ".png"),
        angles=multiext("results/same/figures/angles", ".svg", ".png"),
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
        example=multiext("results/same/figures/example", ".svg", ".png"),
        examples=multiext("results/same/figures/examples", ".svg", ".png"),
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
        retraining_variability=multiext("results/same/figures/retraining_variability", ".svg", ".png"),
        subsampling_variability=multiext("results/same/figures/subsampling_variability", ".svg", ".png"),
        sets=multiext("results/same/figures/sets", ".svg", ".png"),
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
        table="results/same/tables/effect_size.csv",
        figure=multiext("results/same/figures/effect_size", ".svg", ".png"),
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
        page="results/same/answer.html",
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

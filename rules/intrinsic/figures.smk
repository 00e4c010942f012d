rule plot_intrinsic_correlations:
    """Draw F2 and F3: how scores correlate with the bias and with each other."""
    input:
        words=rules.correlate_intrinsic.output.words,
        sets=rules.correlate_intrinsic_sets.output.sets,
    output:
        words=figure("results/intrinsic/figures/words", "Words: correlations (Figure 2)", "words_figure"),
        sets_noisy=figure("results/intrinsic/figures/sets_noisy", "Sets, noisy stereotypes (Figure 3)", "sets_figure"),
        sets_ideal=figure("results/intrinsic/figures/sets_ideal", "Sets, ideal stereotypes (Figure 3)", "sets_figure"),
    log:
        "results/logs/intrinsic/figures/correlations.log",
    conda:
        "../../envs/biassay.yaml"
    resources:
        **SMALL,
    params:
        code=code("intrinsic/plot_correlations"),
    script:
        "../../scripts/intrinsic/plot_correlations.py"


rule plot_intrinsic_reliability:
    """Draw T3, T4 and the power of each metric by the bias planted."""
    input:
        **rules.measure_intrinsic_templates.output,
        retraining_variability=rules.measure_intrinsic_variability.output[0],
        power=rules.detect_intrinsic.output.power,
    output:
        templates=figure("results/intrinsic/figures/templates", "How many templates are enough?"),
        retraining_variability=figure("results/intrinsic/figures/retraining_variability", "Repeats (Table 4)", "retraining_variability_figure"),
        detection=figure("results/intrinsic/figures/detection", "Which bias is detected?"),
    log:
        "results/logs/intrinsic/figures/reliability.log",
    conda:
        "../../envs/biassay.yaml"
    resources:
        **SMALL,
    params:
        code=code("intrinsic/plot_reliability"),
    script:
        "../../scripts/intrinsic/plot_reliability.py"


rule answer_intrinsic:
    """Answer the study's question, in sentences and tables: what do measures see of bias of several groups?"""
    input:
        **rules.correlate_intrinsic.output,
        **rules.correlate_intrinsic_sets.output,
        **rules.measure_intrinsic_templates.output,
        models=rules.gather_intrinsic.output.models,
        retraining_variability=rules.measure_intrinsic_variability.output[0],
        intersections=rules.measure_intrinsic_intersections.output.summary,
        min_detectable_effect=rules.detect_intrinsic.output.min_detectable_effect,
    output:
        page=in_report("results/intrinsic/answer.html", "What do measures see of bias of several groups?"),
        findings="results/intrinsic/findings.csv",
    log:
        "results/logs/intrinsic/answer.log",
    conda:
        "../../envs/biassay.yaml"
    resources:
        **SMALL,
    params:
        code=code("intrinsic/answer"),
        min_r=INTRINSIC["min_r"],
    script:
        "../../scripts/intrinsic/answer.py"


rule intrinsic:
    """What do intrinsic measures see of bias of several groups at once?"""
    input:
        rules.answer_intrinsic.output,
        rules.gather_intrinsic.output,
        rules.correlate_intrinsic.output,
        rules.correlate_intrinsic_sets.output,
        rules.measure_intrinsic_templates.output,
        rules.measure_intrinsic_variability.output,
        rules.measure_intrinsic_intersections.output,
        rules.detect_intrinsic.output,
        rules.plot_intrinsic_correlations.output,
        rules.plot_intrinsic_reliability.output,

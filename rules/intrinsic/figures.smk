rule plot_intrinsic_correlations:
    """Draw the correlations of scores with the bias and with each other (Figures 2 and 3)."""
    input:
        words=rules.correlate_intrinsic.output.words,
        sets=rules.correlate_intrinsic_sets.output.sets,
    output:
        words=multiext("results/intrinsic/figures/words", ".svg", ".png"),
        sets_noisy=multiext("results/intrinsic/figures/sets_noisy", ".svg", ".png"),
        sets_ideal=multiext("results/intrinsic/figures/sets_ideal", ".svg", ".png"),
    log:
        "results/logs/intrinsic/figures/correlations.log",
    conda:
        "../../envs/biassay.yaml"
    script:
        "../../scripts/intrinsic/plot_correlations.py"


rule plot_intrinsic_reliability:
    """Draw the reliability of the templates, retraining variability and power by planted bias (Tables 3 and 4)."""
    input:
        **rules.measure_intrinsic_templates.output,
        retraining_variability=rules.measure_intrinsic_variability.output[0],
        power=rules.detect_intrinsic.output.power,
    output:
        templates=multiext("results/intrinsic/figures/templates", ".svg", ".png"),
        retraining_variability=multiext("results/intrinsic/figures/retraining_variability", ".svg", ".png"),
        detection=multiext("results/intrinsic/figures/detection", ".svg", ".png"),
    log:
        "results/logs/intrinsic/figures/reliability.log",
    conda:
        "../../envs/biassay.yaml"
    script:
        "../../scripts/intrinsic/plot_reliability.py"


rule answer_intrinsic:
    """Write the answer page and the findings: which metrics follow bias of several groups?"""
    input:
        **rules.correlate_intrinsic.output,
        **rules.correlate_intrinsic_sets.output,
        **rules.measure_intrinsic_templates.output,
        models=rules.gather_intrinsic.output.models,
        retraining_variability=rules.measure_intrinsic_variability.output[0],
        intersections=rules.measure_intrinsic_intersections.output.summary,
        min_detectable_effect=rules.detect_intrinsic.output.min_detectable_effect,
    output:
        page="results/intrinsic/answer.html",
        findings="results/intrinsic/findings.csv",
    log:
        "results/logs/intrinsic/answer.log",
    conda:
        "../../envs/biassay.yaml"
    params:
        min_r=INTRINSIC["min_r"],
    script:
        "../../scripts/intrinsic/answer.py"


rule intrinsic:
    """Which intrinsic metrics follow bias of several groups?"""
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

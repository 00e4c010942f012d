rule plot_intrinsic:
    """Draw the correlations of scores with the bias and with each other, and how reliable scores and templates are."""
    input:
        results=list(rules.tabulate_intrinsic.output),
    output:
        words=multiext("results/intrinsic/figures/words", ".svg", ".png"),
        sets_noisy=multiext("results/intrinsic/figures/sets_noisy", ".svg", ".png"),
        sets_ideal=multiext("results/intrinsic/figures/sets_ideal", ".svg", ".png"),
        templates=multiext("results/intrinsic/figures/templates", ".svg", ".png"),
        retraining_variability=multiext("results/intrinsic/figures/retraining_variability", ".svg", ".png"),
        detection=multiext("results/intrinsic/figures/detection", ".svg", ".png"),
    log:
        "results/logs/intrinsic/figures.log",
    conda:
        "../../envs/biassay.yaml"
    params:
        results=list(rules.tabulate_intrinsic.output.keys()),
    script:
        "../../scripts/intrinsic/plot.py"


rule answer_intrinsic:
    """Write the answer page and the findings: which metrics follow bias of several groups?"""
    input:
        models=rules.gather_intrinsic.output.models,
        results=list(rules.tabulate_intrinsic.output),
    output:
        page="results/intrinsic/answer.html",
        findings="results/intrinsic/findings.csv",
    log:
        "results/logs/intrinsic/answer.log",
    conda:
        "../../envs/biassay.yaml"
    params:
        results=list(rules.tabulate_intrinsic.output.keys()),
        min_r=INTRINSIC["min_r"],
    script:
        "../../scripts/intrinsic/answer.py"


rule intrinsic:
    """Which intrinsic metrics follow bias of several groups?"""
    input:
        rules.answer_intrinsic.output,
        rules.gather_intrinsic.output,
        rules.tabulate_intrinsic.output,
        rules.plot_intrinsic.output,

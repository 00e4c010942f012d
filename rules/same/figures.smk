SAME_TABLES = {**rules.tabulate_same.output, "effect_size": rules.measure_same_vectors.output.effect_size}


rule plot_same:
    """Draw agreement with the planted bias, variability, and single models, chosen by the rules in their captions."""
    input:
        **SAME_SCORES,
        results=list(SAME_TABLES.values()),
    output:
        words=multiext("results/same/figures/words", ".svg", ".png"),
        angles=multiext("results/same/figures/angles", ".svg", ".png"),
        example=multiext("results/same/figures/example", ".svg", ".png"),
        examples=multiext("results/same/figures/examples", ".svg", ".png"),
        retraining_variability=multiext("results/same/figures/retraining_variability", ".svg", ".png"),
        subsampling_variability=multiext("results/same/figures/subsampling_variability", ".svg", ".png"),
        sets=multiext("results/same/figures/sets", ".svg", ".png"),
        effect_size=multiext("results/same/figures/effect_size", ".svg", ".png"),
    log:
        "results/logs/same/figures.log",
    conda:
        "../../envs/biassay.yaml"
    params:
        scores=SAME["metrics"],
        results=list(SAME_TABLES),
    script:
        "../../scripts/same/plot.py"


rule answer_same:
    """Write the answer page and the findings: does a metric follow the trained-in bias?"""
    input:
        models="results/same/models.csv",
        results=list(SAME_TABLES.values()),
    output:
        page="results/same/answer.html",
        findings="results/same/findings.csv",
    log:
        "results/logs/same/answer.log",
    conda:
        "../../envs/biassay.yaml"
    params:
        results=list(SAME_TABLES),
        min_r2=SAME["min_r2"],
    script:
        "../../scripts/same/answer.py"


rule same:
    """Does a metric follow the bias that was trained into a language model?"""
    input:
        rules.select_same_models.output,
        rules.answer_same.output,
        rules.tabulate_same.output,
        rules.measure_same_vectors.output.effect_size,
        rules.plot_same.output,

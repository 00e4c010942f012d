rule check_properties:
    """Search for counterexamples to the properties that a bias score should have."""
    output:
        "results/properties/verdicts/{metric}.json",
    log:
        "results/logs/properties/verdicts/{metric}.log",
    params:
        metric=metric_name,
        n_starts=config["properties"]["n_starts"],
        seed=config["seed"],
    script:
        "../scripts/properties/check.py"


rule tabulate_properties:
    """Tabulate the verdicts on all metrics with the published ones, and write the findings of the study."""
    input:
        verdicts=expand("results/properties/verdicts/{metric}.json", metric=property_metrics()),
        published=in_workflow("resources/published/properties.csv"),
    output:
        table="results/properties/properties.csv",
        findings="results/properties/findings.csv",
    log:
        "results/logs/properties/properties.log",
    params:
        verdicts=property_metrics(),
    script:
        "../scripts/properties/tabulate.py"


rule plot_properties:
    """Plot the table of verdicts, and the two-dimensional counterexamples to each property."""
    input:
        verdicts=rules.tabulate_properties.input.verdicts,
        table=rules.tabulate_properties.output.table,
    output:
        properties=multiext("results/properties/figures/properties", ".svg", ".png"),
        comparable=multiext("results/properties/figures/counterexamples/comparable", ".svg", ".png"),
        trustworthy=multiext("results/properties/figures/counterexamples/trustworthy", ".svg", ".png"),
        skew=multiext("results/properties/figures/counterexamples/skew", ".svg", ".png"),
        stereotype=multiext("results/properties/figures/counterexamples/stereotype", ".svg", ".png"),
    log:
        "results/logs/properties/figures.log",
    params:
        verdicts=property_metrics(),
    script:
        "../scripts/properties/plot.py"


rule properties:
    """Which metrics are comparable, trustworthy, sensitive to skew and to stereotypes?"""
    input:
        rules.tabulate_properties.output,
        rules.plot_properties.output,

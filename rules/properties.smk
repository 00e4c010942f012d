PROPERTY_METRICS = study_metrics.property_metrics(config)


for number, names in enumerate(batches(PROPERTY_METRICS)):

    rule:
        """Search for counterexamples to the properties that a bias score should have."""
        name:
            f"check_properties_{number}"
        output:
            expand("results/properties/verdicts/{metric}.json", metric=names),
        log:
            f"results/logs/properties/verdicts_{number}.log",
        params:
            metrics=metric_names(names),
            n_starts=config["properties"]["n_starts"],
            seed=config["seed"],
            code=digest_code(in_workflow("scripts/properties/check.py"), metric_files(metric_names(names).values())),
        script:
            "../scripts/properties/check.py"


rule tabulate_properties:
    """Tabulate the verdicts with the published ones, write the findings of the study, and plot the counterexamples."""
    input:
        verdicts=expand("results/properties/verdicts/{metric}.json", metric=PROPERTY_METRICS),
        published=in_workflow("resources/published/properties.csv"),
    output:
        **figures("results/properties/figures/counterexamples", "comparable trustworthy skew stereotype"),
        table="results/properties/properties.csv",
        findings="results/properties/findings.csv",
        properties=multiext("results/properties/figures/properties", *FIGURE),
    log:
        "results/logs/properties/properties.log",
    params:
        verdicts=PROPERTY_METRICS,
    script:
        "../scripts/properties/tabulate.py"


rule properties:
    """Which metrics are comparable, trustworthy, sensitive to skew and to stereotypes?"""
    input:
        rules.tabulate_properties.output,

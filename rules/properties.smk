rule judge_metric:
    """Search a metric for counterexamples to the properties that a bias score should have."""
    input:
        code=code("judge_metric", metric_file),
    output:
        "results/properties/verdicts/{metric}.json",
    log:
        "results/logs/properties/verdicts/{metric}.log",
    conda:
        "../envs/biassay.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=30,
    params:
        metric=metric_name,
        starts=config["properties"]["starts"],
        seed=config["seed"],
    script:
        "../scripts/judge_metric.py"


rule tabulate_properties:
    """Gather the verdicts on all metrics in a table, beside the published ones."""
    input:
        verdicts=expand("results/properties/verdicts/{metric}.json", metric=judged_metrics()),
        published=in_workflow("resources/published/properties.csv"),
        code=code("tabulate_properties"),
    output:
        report(
            "results/properties/properties.csv",
            caption="../report/properties.rst",
            category="Properties",
            labels={"result": "Table"},
        ),
    log:
        "results/logs/properties/properties.log",
    conda:
        "../envs/biassay.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        metrics=judged_metrics(),
    script:
        "../scripts/tabulate_properties.py"


rule plot_properties:
    """Draw the table of verdicts, and the counterexamples that lie in a plane."""
    input:
        verdicts=rules.tabulate_properties.input.verdicts,
        table=rules.tabulate_properties.output[0],
        code=code("plot_properties"),
    output:
        table=report(
            "results/properties/figures/properties.svg",
            caption="../report/properties.rst",
            category="Properties",
            labels={"result": "Table as a figure"},
        ),
        counterexamples=report(
            "results/properties/figures/counterexamples.svg",
            caption="../report/counterexamples.rst",
            category="Properties",
            labels={"result": "Counterexamples"},
        ),
        table_png="results/properties/figures/properties.png",
        counterexamples_png="results/properties/figures/counterexamples.png",
    log:
        "results/logs/properties/figures.log",
    conda:
        "../envs/biassay.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        metrics=judged_metrics(),
    script:
        "../scripts/plot_properties.py"


rule properties:
    """Which metrics are comparable, trustworthy, sensitive to skew and to stereotypes?"""
    input:
        rules.tabulate_properties.output,
        rules.plot_properties.output,

rule tabulate_silhouettes:
    """Make Tables 1 and 2 of the silhouette paper for a pair of models, and say how many words each metric needs."""
    input:
        scores=rules.score_silhouettes.output.scores,
        published=in_workflow("resources/published/silhouette.csv"),
        code=code("tabulate_silhouettes"),
    output:
        page=silhouettes_in_report("summary.html", "How many words does a metric need?"),
        summary="results/silhouette/{pair}/summary.csv",
        robustness=silhouettes_in_report("robustness.csv", "Table 1: robustness"),
        accuracy=silhouettes_in_report("accuracy.csv", "Table 2: accuracy"),
    log:
        "results/logs/silhouette/{pair}/tables.log",
    conda:
        "../envs/biassay.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    script:
        "../scripts/tabulate_silhouettes.py"


rule plot_silhouettes:
    """Draw the silhouettes of a bias on a pair of models, as Figure 2 of the silhouette paper and zoomed."""
    input:
        silhouettes=rules.score_silhouettes.output.silhouettes,
        scores=rules.score_silhouettes.output.scores,
        code=code("plot_silhouettes"),
    output:
        whole=silhouettes_in_report("figures/{bias}.svg", "Silhouettes, {bias}", "whole"),
        zoomed=silhouettes_in_report("figures/zoomed/{bias}.svg", "Silhouettes, {bias}, zoomed", "zoomed"),
        whole_png="results/silhouette/{pair}/figures/{bias}.png",
        zoomed_png="results/silhouette/{pair}/figures/zoomed/{bias}.png",
    log:
        "results/logs/silhouette/{pair}/figures/{bias}.log",
    conda:
        "../envs/biassay.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    script:
        "../scripts/plot_silhouettes.py"


rule plot_silhouettes_interactive:
    """Draw all silhouettes of a pair of models in one interactive page that needs no network."""
    input:
        silhouettes=rules.score_silhouettes.output.silhouettes,
        scores=rules.score_silhouettes.output.scores,
        template=in_workflow("report/silhouettes.html"),
        code=code("plot_silhouettes_interactive"),
    output:
        silhouettes_in_report("silhouettes.html", "Silhouettes, interactive", "interactive"),
    log:
        "results/logs/silhouette/{pair}/interactive.log",
    conda:
        "../envs/biassay.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    script:
        "../scripts/plot_silhouettes_interactive.py"


rule plot_silhouette_scores:
    """Draw Tables 1 and 2 of the silhouette paper as dots, and how the scores converge with the number of shuffles."""
    input:
        scores=rules.score_silhouettes.output.scores,
        convergence=rules.score_silhouettes.output.convergence,
        published=in_workflow("resources/published/silhouette.csv"),
        code=code("plot_silhouette_scores"),
    output:
        robustness=silhouettes_in_report("figures/scores/robustness.svg", "Table 1 as a figure"),
        accuracy=silhouettes_in_report("figures/scores/accuracy.svg", "Table 2 as a figure"),
        convergence=silhouettes_in_report("figures/scores/convergence.svg", "Convergence"),
        robustness_png="results/silhouette/{pair}/figures/scores/robustness.png",
        accuracy_png="results/silhouette/{pair}/figures/scores/accuracy.png",
        convergence_png="results/silhouette/{pair}/figures/scores/convergence.png",
    log:
        "results/logs/silhouette/{pair}/figures/scores.log",
    conda:
        "../envs/biassay.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    script:
        "../scripts/plot_silhouette_scores.py"


rule silhouette:
    """How accurate and how robust are metrics, and how many words do they need?"""
    input:
        expand(rules.collect_words.output.missing, pair=SILHOUETTES["pairs"]),
        expand(rules.tabulate_silhouettes.output, pair=SILHOUETTES["pairs"]),
        expand(rules.plot_silhouette_scores.output, pair=SILHOUETTES["pairs"]),
        expand(rules.plot_silhouettes_interactive.output, pair=SILHOUETTES["pairs"]),
        [
            expand(rules.plot_silhouettes.output, pair=pair, bias=config["reference_pairs"][pair]["lists"])
            for pair in SILHOUETTES["pairs"]
        ],

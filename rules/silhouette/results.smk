SILHOUETTE_TABLES = ["scores", "false_positives", "comparisons", "convergence"]


rule tabulate_silhouettes:
    """Tabulate robustness and accuracy with published values (Tables 1 and 2), and summarise each metric."""
    input:
        scores=rules.score_silhouettes.output.scores,
        false_positives=rules.count_silhouette_false_positives.output[0],
        comparisons=rules.compare_silhouettes.output[0],
        published=in_workflow("resources/published/silhouette.csv"),
    output:
        page="results/silhouette/{pair}/summary.html",
        summary="results/silhouette/{pair}/summary.csv",
        robustness="results/silhouette/{pair}/robustness.csv",
        accuracy="results/silhouette/{pair}/accuracy.csv",
    log:
        "results/logs/silhouette/{pair}/tables.log",
    conda:
        "../../envs/biassay.yaml"
    script:
        "../../scripts/silhouette/tabulate.py"


rule answer_silhouette:
    """Write the findings of the study: verdicts and titles of figures."""
    input:
        tables=expand("results/silhouette/{pair}/{table}.csv", pair=SILHOUETTES["pairs"], table=SILHOUETTE_TABLES),
    output:
        "results/silhouette/findings.csv",
    log:
        "results/logs/silhouette/findings.log",
    conda:
        "../../envs/biassay.yaml"
    params:
        pairs=SILHOUETTES["pairs"],
    script:
        "../../scripts/silhouette/answer.py"


rule plot_silhouettes:
    """Plot the silhouettes of a bias, on the metrics' ranges and zoomed (Figure 2)."""
    input:
        silhouettes=rules.score_silhouettes.output.silhouettes,
        scores=rules.score_silhouettes.output.scores,
    output:
        whole=multiext("results/silhouette/{pair}/figures/{bias}", ".svg", ".png"),
        zoomed=multiext("results/silhouette/{pair}/figures/zoomed/{bias}", ".svg", ".png"),
    log:
        "results/logs/silhouette/{pair}/figures/{bias}.log",
    conda:
        "../../envs/biassay.yaml"
    script:
        "../../scripts/silhouette/plot.py"


rule plot_silhouettes_interactive:
    """Plot all silhouettes of a pair of models on one interactive page that needs no network."""
    input:
        silhouettes=rules.score_silhouettes.output.silhouettes,
        scores=rules.score_silhouettes.output.scores,
        template=in_workflow("report/silhouette/interactive.html"),
    output:
        "results/silhouette/{pair}/silhouettes.html",
    log:
        "results/logs/silhouette/{pair}/interactive.log",
    conda:
        "../../envs/biassay.yaml"
    script:
        "../../scripts/silhouette/plot_interactive.py"


rule plot_silhouette_scores:
    """Plot robustness and accuracy (Tables 1 and 2), and their convergence over shuffles."""
    input:
        scores=rules.score_silhouettes.output.scores,
        convergence=rules.score_silhouettes.output.convergence,
        published=in_workflow("resources/published/silhouette.csv"),
    output:
        robustness=multiext("results/silhouette/{pair}/figures/scores/robustness", ".svg", ".png"),
        accuracy=multiext("results/silhouette/{pair}/figures/scores/accuracy", ".svg", ".png"),
        convergence=multiext("results/silhouette/{pair}/figures/scores/convergence", ".svg", ".png"),
    log:
        "results/logs/silhouette/{pair}/figures/scores.log",
    conda:
        "../../envs/biassay.yaml"
    script:
        "../../scripts/silhouette/plot_scores.py"


rule silhouette:
    """How accurate and how robust are metrics, and how many words do they need?"""
    input:
        rules.answer_silhouette.output,
        expand(rules.collect_words.output.missing, pair=SILHOUETTES["pairs"]),
        expand(rules.score_silhouettes.output.scores, pair=SILHOUETTES["pairs"]),
        expand(rules.count_silhouette_false_positives.output, pair=SILHOUETTES["pairs"]),
        expand(rules.compare_silhouettes.output, pair=SILHOUETTES["pairs"]),
        expand(rules.tabulate_silhouettes.output, pair=SILHOUETTES["pairs"]),
        expand(rules.plot_silhouette_scores.output, pair=SILHOUETTES["pairs"]),
        expand(rules.plot_silhouettes_interactive.output, pair=SILHOUETTES["pairs"]),
        [
            expand(rules.plot_silhouettes.output, pair=pair, bias=config["reference_pairs"][pair]["lists"])
            for pair in SILHOUETTES["pairs"]
        ],

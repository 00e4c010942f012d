SILHOUETTES = config["silhouette"]


rule collect_words:
    """Collect the words of a pair's lists that are in both models, with their vectors."""
    input:
        biased=reference_model("biased"),
        unbiased=reference_model("unbiased"),
        lists=silhouette_word_lists,
        ground_truth=pair_ground_truth,
    output:
        words="results/silhouette/{pair}/words/words.json",
        vectors="results/silhouette/{pair}/words/vectors.npz",
        missing="results/silhouette/{pair}/missing.csv",
    log:
        "results/logs/silhouette/{pair}/words.log",
    resources:
        mem_mb=memory(2),
        runtime=minutes(120),
    params:
        lists=lambda wildcards: config["reference_pairs"][wildcards.pair]["lists"],
        pair=lambda wildcards: config["reference_pairs"][wildcards.pair],
    script:
        "../scripts/silhouette/collect_words.py"


for number, names in enumerate(batches(SILHOUETTES["metrics"])):

    rule:
        """Measure and test metrics on growing subsets of word lists, for all biases and both models."""
        name:
            f"measure_silhouettes_{number}"
        input:
            words=rules.collect_words.output.words,
            vectors=rules.collect_words.output.vectors,
        output:
            values=expand("results/silhouette/{{pair}}/values/{metric}.npz", metric=names),
            tests=expand("results/silhouette/{{pair}}/tests/{metric}.csv", metric=names),
        log:
            f"results/logs/silhouette/{{pair}}/values_{number}.log",
        resources:
            mem_mb=memory(2),
        params:
            variants=[study_metrics.variant(config, name) for name in names],
            shuffles=SILHOUETTES["shuffles"],
            steps=SILHOUETTES["steps"],
            tests=SILHOUETTES["tests"],
            seed=config["seed"],
            code=digest_code(
                in_workflow("scripts/silhouette/measure.py"),
                metric_files(study_metrics.variant(config, name)["metric"] for name in names),
            ),
        script:
            "../scripts/silhouette/measure.py"


rule score_silhouettes:
    """Score all metrics on a pair of models, and tabulate robustness and accuracy with published values (T1 and T2)."""
    input:
        values=expand("results/silhouette/{{pair}}/values/{metric}.npz", metric=SILHOUETTES["metrics"]),
        tests=expand("results/silhouette/{{pair}}/tests/{metric}.csv", metric=SILHOUETTES["metrics"]),
        published=in_workflow("resources/published/silhouette.csv"),
    output:
        **tables(
            "results/silhouette/{pair}",
            "silhouettes scores convergence false_positives p_values comparisons robustness accuracy",
        ),
    log:
        "results/logs/silhouette/{pair}/scores.log",
    resources:
        mem_mb=memory(2),
    params:
        values=SILHOUETTES["metrics"],
        variants=[study_metrics.variant(config, name) for name in SILHOUETTES["metrics"]],
        seed=config["seed"],
    script:
        "../scripts/silhouette/score.py"


rule answer_silhouette:
    """Write the findings of the study."""
    input:
        tables=expand(
            "results/silhouette/{pair}/{table}.csv",
            pair=SILHOUETTES["pairs"],
            table=["scores", "false_positives", "comparisons"],
        ),
    output:
        "results/silhouette/findings.csv",
    log:
        "results/logs/silhouette/findings.log",
    params:
        pairs=SILHOUETTES["pairs"],
    script:
        "../scripts/silhouette/answer.py"


rule plot_silhouettes:
    """Plot the silhouettes of a bias, on the metrics' ranges and zoomed (Figure 2)."""
    input:
        silhouettes=rules.score_silhouettes.output.silhouettes,
        scores=rules.score_silhouettes.output.scores,
    output:
        whole=multiext("results/silhouette/{pair}/figures/{bias}", *FIGURE),
        zoomed=multiext("results/silhouette/{pair}/figures/zoomed/{bias}", *FIGURE),
    log:
        "results/logs/silhouette/{pair}/figures/{bias}.log",
    script:
        "../scripts/silhouette/plot.py"


rule plot_silhouette_scores:
    """Plot robustness and accuracy (Tables 1 and 2), their convergence over shuffles, and distributions of p."""
    input:
        scores=rules.score_silhouettes.output.scores,
        convergence=rules.score_silhouettes.output.convergence,
        p_values=rules.score_silhouettes.output.p_values,
        tests=rules.score_silhouettes.input.tests,
        published=in_workflow("resources/published/silhouette.csv"),
    output:
        **figures("results/silhouette/{pair}/figures/scores", "robustness accuracy relative_accuracy"),
        converged=multiext("results/silhouette/{pair}/figures/scores/convergence", *FIGURE),
        p_values_figure=multiext("results/silhouette/{pair}/figures/scores/p_values", *FIGURE),
    log:
        "results/logs/silhouette/{pair}/figures/scores.log",
    params:
        tests=SILHOUETTES["metrics"],
    script:
        "../scripts/silhouette/plot_scores.py"


rule silhouette:
    """How accurate and how robust are metrics, and how many words do they need?"""
    input:
        rules.answer_silhouette.output,
        expand(rules.collect_words.output.missing, pair=SILHOUETTES["pairs"]),
        expand(rules.score_silhouettes.output, pair=SILHOUETTES["pairs"]),
        expand(rules.plot_silhouette_scores.output, pair=SILHOUETTES["pairs"]),
        [
            expand(rules.plot_silhouettes.output, pair=pair, bias=config["reference_pairs"][pair]["lists"])
            for pair in SILHOUETTES["pairs"]
        ],

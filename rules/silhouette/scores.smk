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
    conda:
        "../../envs/biassay.yaml"
    resources:
        mem_mb=memory(2),
        runtime=minutes(120),
    params:
        lists=lambda wildcards: config["reference_pairs"][wildcards.pair]["lists"],
    script:
        "../../scripts/silhouette/collect_words.py"


rule measure_silhouettes:
    """Measure and test one metric on growing subsets of word lists, for all biases and both models."""
    input:
        words=rules.collect_words.output.words,
        vectors=rules.collect_words.output.vectors,
    output:
        values="results/silhouette/{pair}/values/{metric}.npz",
        tests="results/silhouette/{pair}/tests/{metric}.csv",
    log:
        "results/logs/silhouette/{pair}/values/{metric}.log",
    benchmark:
        "results/benchmarks/silhouette/{pair}/{metric}.tsv"
    conda:
        "../../envs/biassay.yaml"
    resources:
        mem_mb=memory(2),
    params:
        variant=lambda wildcards: study_metrics.variant(config, wildcards.metric),
        shuffles=SILHOUETTES["shuffles"],
        steps=SILHOUETTES["steps"],
        tests=SILHOUETTES["tests"],
        seed=config["seed"],
    script:
        "../../scripts/silhouette/measure.py"


rule score_silhouettes:
    """Score all metrics on a pair of models: silhouettes, robustness, accuracy, convergence."""
    input:
        values=expand("results/silhouette/{{pair}}/values/{metric}.npz", metric=SILHOUETTES["metrics"]),
    output:
        silhouettes="results/silhouette/{pair}/silhouettes.csv",
        scores="results/silhouette/{pair}/scores.csv",
        convergence="results/silhouette/{pair}/convergence.csv",
    log:
        "results/logs/silhouette/{pair}/scores.log",
    conda:
        "../../envs/biassay.yaml"
    resources:
        mem_mb=memory(2),
    params:
        names=SILHOUETTES["metrics"],
        variants=[study_metrics.variant(config, name) for name in SILHOUETTES["metrics"]],
    script:
        "../../scripts/silhouette/score.py"


rule count_silhouette_false_positives:
    """Count how often tests conclude bias on the unbiased model (false positives) and on the biased one (power)."""
    input:
        tests=expand("results/silhouette/{{pair}}/tests/{metric}.csv", metric=SILHOUETTES["metrics"]),
        values=expand("results/silhouette/{{pair}}/values/{metric}.npz", metric=SILHOUETTES["metrics"]),
    output:
        "results/silhouette/{pair}/false_positives.csv",
    log:
        "results/logs/silhouette/{pair}/false_positives.log",
    conda:
        "../../envs/biassay.yaml"
    params:
        names=SILHOUETTES["metrics"],
        variants=[study_metrics.variant(config, name) for name in SILHOUETTES["metrics"]],
        share=SILHOUETTES["tests"]["share"],
    script:
        "../../scripts/silhouette/count_false_positives.py"


rule compare_silhouettes:
    """Test which of two metrics has the larger accuracy, AUC or steadiness on the same shuffles."""
    input:
        values=expand("results/silhouette/{{pair}}/values/{metric}.npz", metric=SILHOUETTES["metrics"]),
    output:
        "results/silhouette/{pair}/comparisons.csv",
    log:
        "results/logs/silhouette/{pair}/comparisons.log",
    conda:
        "../../envs/biassay.yaml"
    params:
        names=SILHOUETTES["metrics"],
        variants=[study_metrics.variant(config, name) for name in SILHOUETTES["metrics"]],
        seed=config["seed"],
    script:
        "../../scripts/silhouette/compare.py"

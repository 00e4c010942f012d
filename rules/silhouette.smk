SILHOUETTES = config["silhouette"]


rule collect_words:
    """Collect the words of a pair's lists that both models have, with their vectors."""
    input:
        biased=reference_model("biased"),
        unbiased=reference_model("unbiased"),
        lists=silhouette_word_lists,
        code=code("collect_words"),
    output:
        words="results/silhouette/{pair}/words/words.json",
        vectors="results/silhouette/{pair}/words/vectors.npz",
        missing=silhouettes_in_report("missing.csv", "Words that were found"),
    log:
        "results/logs/silhouette/{pair}/words.log",
    conda:
        "../envs/biassay.yaml"
    threads: 1
    resources:
        mem_mb=4000,
        runtime=120,
    params:
        lists=lambda wildcards: config["reference_pairs"][wildcards.pair]["lists"],
    script:
        "../scripts/collect_words.py"


rule measure_silhouettes:
    """Measure with one metric on growing subsets of word lists, for all biases and both models of a pair."""
    input:
        words=rules.collect_words.output.words,
        vectors=rules.collect_words.output.vectors,
        code=code("measure_silhouettes", variant_file),
    output:
        "results/silhouette/{pair}/values/{metric}.npz",
    log:
        "results/logs/silhouette/{pair}/values/{metric}.log",
    benchmark:
        "results/benchmarks/silhouette/{pair}/{metric}.tsv"
    conda:
        "../envs/biassay.yaml"
    threads: lambda wildcards: 2 if wildcards.metric == "rnsb" else 1
    resources:
        mem_mb=3000,
        runtime=240,
    params:
        variant=lambda wildcards: study_config.variant(config, wildcards.metric),
        shuffles=SILHOUETTES["shuffles"],
        steps=SILHOUETTES["steps"],
        seed=config["seed"],
    script:
        "../scripts/measure_silhouettes.py"


rule score_silhouettes:
    """Score all metrics on a pair of models: silhouettes, robustness, accuracy, convergence."""
    input:
        values=expand("results/silhouette/{{pair}}/values/{metric}.npz", metric=SILHOUETTES["metrics"]),
        code=code("score_silhouettes"),
    output:
        silhouettes="results/silhouette/{pair}/silhouettes.csv",
        scores=silhouettes_in_report("scores.csv", "All scores"),
        convergence="results/silhouette/{pair}/convergence.csv",
    log:
        "results/logs/silhouette/{pair}/scores.log",
    conda:
        "../envs/biassay.yaml"
    threads: 1
    resources:
        mem_mb=3000,
        runtime=30,
    params:
        names=SILHOUETTES["metrics"],
        variants=[study_config.variant(config, name) for name in SILHOUETTES["metrics"]],
    script:
        "../scripts/score_silhouettes.py"

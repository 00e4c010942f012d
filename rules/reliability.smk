RELIABILITY = config["reliability"]
RELIABILITY_MODELS = [
    {
        "corpus": corpus,
        "is_shuffled": config["corpora"][corpus]["source"] == "shuffled",
        "embedding": embedding,
        "trainings": len(trainings(corpus, embedding)),
    }
    for corpus in RELIABILITY["corpora"]
    for embedding in RELIABILITY["embeddings"]
]


use rule train_embedding as retrain_embedding with:
    output:
        directory("results/reliability/embeddings/{corpus}/{embedding}/{training}"),
    log:
        "results/logs/reliability/embeddings/{corpus}/{embedding}/{training}.log",
    wildcard_constraints:
        training="[0-9]+",
    params:
        algorithm=lambda wildcards: config["embeddings"][wildcards.embedding]["algorithm"],
        options=lambda wildcards: settings.train_options(config["embeddings"][wildcards.embedding]),
        seed=lambda wildcards: settings.retraining_seed(config, int(wildcards.training)),


rule measure_reliability:
    """Score words in all trainings of all embeddings, and tabulate frequency dependence and reliability."""
    input:
        folders=[folder for model in RELIABILITY_MODELS for folder in trainings(model["corpus"], model["embedding"])],
        counts=expand("results/corpora/{corpus}/counts.npy", corpus=RELIABILITY["corpora"]),
        words=expand("results/corpora/{corpus}/words.txt", corpus=RELIABILITY["corpora"]),
        pairs=RELIABILITY["pairs"],
        occupations=RELIABILITY["occupations"],
    output:
        frequency="results/reliability/frequency.csv",
        bins="results/reliability/bins.csv",
        reliability="results/reliability/reliability.csv",
        agreement="results/reliability/agreement.csv",
    log:
        "results/logs/reliability/measure.log",
    resources:
        mem_mb=memory(2),
        runtime=minutes(120),
    params:
        models=RELIABILITY_MODELS,
        counts=RELIABILITY["corpora"],
        metrics=metric_names(RELIABILITY["metrics"]),
        n_words=RELIABILITY["n_words"],
        set_size=RELIABILITY["set_size"],
        resamples=RELIABILITY["resamples"],
        seed=config["seed"],
    script:
        "../scripts/reliability/measure.py"


rule plot_reliability:
    """Plot slopes against frequency, scores by frequency, and reliability with the published medians."""
    input:
        frequency=rules.measure_reliability.output.frequency,
        bins=rules.measure_reliability.output.bins,
        reliability=rules.measure_reliability.output.reliability,
        published=in_workflow("resources/published/reliability.csv"),
    output:
        frequency=multiext("results/reliability/figures/frequency", *FIGURE),
        reliability=multiext("results/reliability/figures/reliability", *FIGURE),
    log:
        "results/logs/reliability/figures.log",
    script:
        "../scripts/reliability/plot.py"


rule reliability:
    """Do scores depend on the frequency of words, and do they agree between trainings and pairs of words?"""
    input:
        rules.measure_reliability.output,
        rules.plot_reliability.output,

rule train_embedding:
    """Train an embedding and compute the norms of its explicit vectors."""
    input:
        data=training_data,
        words="results/corpora/{corpus}/words.txt",
        counts="results/corpora/{corpus}/counts.npy",
    output:
        directory("results/embeddings/{corpus}/{embedding}"),
    log:
        "results/logs/embeddings/{corpus}/{embedding}.log",
    threads: lambda wildcards: settings.train_options(config["embeddings"][wildcards.embedding])["threads"]
    resources:
        mem_mb=memory(4),
        runtime=minutes_of_corpus(240),
    params:
        algorithm=lambda wildcards: config["embeddings"][wildcards.embedding]["algorithm"],
        options=lambda wildcards: settings.train_options(config["embeddings"][wildcards.embedding]),
        seed=config["seed"],
    script:
        "../scripts/embeddings/train.py"

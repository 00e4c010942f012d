GLOVE_PYTHON = in_workflow("biassay/embeddings/glove_python.py")


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
    benchmark:
        "results/benchmarks/embeddings/{corpus}/{embedding}.tsv"
    threads: training_threads
    resources:
        mem_mb=memory(4),
        runtime=minutes_of_corpus(240),
    params:
        algorithm=lambda wildcards: config["embeddings"][wildcards.embedding]["algorithm"],
        options=lambda wildcards: settings.train_options(config["embeddings"][wildcards.embedding]),
        seed=config["seed"],
    script:
        "../scripts/embeddings/train.py"


rule train_glove_python:
    """Train GloVe with the glove-python-binary package, which needs its own environment."""
    input:
        data=training_data,
        words="results/corpora/{corpus}/words.txt",
    output:
        directory("results/embeddings/{corpus}/{embedding}"),
    log:
        "results/logs/embeddings/{corpus}/{embedding}.log",
    wildcard_constraints:
        embedding=embeddings_of("glove_python"),
    conda:
        "../envs/glove_python.yaml"
    threads: training_threads
    resources:
        mem_mb=memory(6),
        runtime=minutes(240),
    params:
        code=lambda wildcards: code.compute_digest(GLOVE_PYTHON),
        file=GLOVE_PYTHON,
        options=lambda wildcards, threads: json.dumps(
            settings.train_options(config["embeddings"][wildcards.embedding])
            | {"seed": config["seed"], "threads": threads}
        ),
    shell:
        "python {params.file:q} {input.data:q} {input.words:q} {output:q} {params.options:q} 2>&1 | tee {log:q}"


ruleorder: train_glove_python > train_embedding

rule count_cooccurrences:
    """Count the word pairs that co-occur within a window."""
    input:
        tokens=rules.encode_corpus.output.tokens,
        words=rules.encode_corpus.output.words,
        counts=rules.encode_corpus.output.counts,
    output:
        directory("results/counts/{corpus}/{counts}"),
    log:
        "results/logs/counts/{corpus}/{counts}.log",
    threads: lambda wildcards: 1 if small_corpus(wildcards) else 2
    resources:
        mem_mb=memory(4),
        runtime=minutes_of_corpus(60),
    params:
        options=lambda wildcards: config["counts"][wildcards.counts],
        seed=config["seed"],
    script:
        "../scripts/counts/count_cooccurrences.py"

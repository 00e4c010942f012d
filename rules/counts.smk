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
    wildcard_constraints:
        counts=counts_names(is_sharded=False),
    threads: lambda wildcards: 1 if small_corpus(wildcards) else 2
    resources:
        mem_mb=memory(4),
        runtime=minutes_of_corpus(60),
    params:
        options=lambda wildcards: settings.count_options(config["counts"][wildcards.counts]),
        seed=config["seed"],
    script:
        "../scripts/counts/count_cooccurrences.py"


rule count_shard:
    """Count the word pairs that co-occur within a window, in one shard of a corpus."""
    input:
        tokens=rules.encode_corpus.output.tokens,
        words=rules.encode_corpus.output.words,
        counts=rules.encode_corpus.output.counts,
    output:
        temp(directory("results/counts/{corpus}/{counts}.shards/{shard}")),
    log:
        "results/logs/counts/{corpus}/{counts}.shards/{shard}.log",
    threads: 2
    resources:
        mem_mb=lambda wildcards, input: 1500 + int(4 * input.size_mb / config["counts"][wildcards.counts]["shards"]),
        runtime=minutes(240),
    params:
        shards=lambda wildcards: config["counts"][wildcards.counts]["shards"],
        options=lambda wildcards: settings.count_options(config["counts"][wildcards.counts]),
        seed=config["seed"],
    script:
        "../scripts/counts/count_cooccurrences.py"


rule merge_counts:
    """Sum the counts of the shards of a corpus."""
    input:
        shards=shard_folders,
    output:
        directory("results/counts/{corpus}/{counts}"),
    log:
        "results/logs/counts/{corpus}/{counts}.log",
    wildcard_constraints:
        counts=counts_names(is_sharded=True),
    resources:
        runtime=minutes(60),
    params:
        options=lambda wildcards: settings.count_options(config["counts"][wildcards.counts]),
    script:
        "../scripts/counts/merge.py"

rule generate_corpus:
    """Write synthetic text with planted bias, and its ground truth."""
    input:
        words=[
            in_workflow("resources/words", f"{name}.yaml")
            for name in ["domains", "ethnicity", "gender_slots", "names", "religion", "traits"]
        ],
        occupations=in_workflow("resources/words/occupations.csv"),
        templates=in_workflow("resources/templates/corpus.yaml"),
        occupation_statistics=[in_workflow("resources/statistics", f"{name}.csv") for name in ["labor", "census"]],
    output:
        text="results/corpora/{corpus}/text.txt",
        ground_truth="results/corpora/{corpus}/ground_truth.csv",
    log:
        "results/logs/corpora/{corpus}/generate.log",
    params:
        options=lambda wildcards: config["corpora"][wildcards.corpus],
        seed=config["seed"],
    script:
        "../scripts/corpora/generate.py"


rule download_file:
    """Download a Wikipedia dump or a file of sentence pairs, or check an existing one; the output is a receipt, so that a rerun keeps the file."""
    output:
        "downloads/{dump}.checked",
    log:
        "results/logs/corpora/downloads/{dump}.log",
    localrule: True
    params:
        dump=lambda wildcards: settings.downloads(config)[wildcards.dump],
    script:
        "../scripts/corpora/download_file.py"


rule extract_articles:
    """Convert a Wikipedia dump to plain text: all articles or a sample."""
    input:
        dumps=dump_files,
    output:
        "results/corpora/{corpus}/articles.txt",
    log:
        "results/logs/corpora/{corpus}/extract_articles.log",
    threads: config["threads"]
    resources:
        runtime=minutes(720),
    params:
        options=lambda wildcards: settings.article_options(config["corpora"][wildcards.corpus]),
        seed=config["seed"],
    script:
        "../scripts/corpora/extract_articles.py"


rule encode_corpus:
    """Encode text as token ids, with a vocabulary and word counts."""
    input:
        text=lambda wildcards: text_files(wildcards.corpus),
    output:
        tokens="results/corpora/{corpus}/tokens.npy",
        words="results/corpora/{corpus}/words.txt",
        counts="results/corpora/{corpus}/counts.npy",
        summary="results/corpora/{corpus}/summary.json",
    log:
        "results/logs/corpora/{corpus}/encode.log",
    wildcard_constraints:
        corpus=corpus_names("generator", "wikipedia", "wikiextractor", "text"),
    resources:
        mem_mb=memory(0.2),
        runtime=minutes_of_corpus(240),
    params:
        options=lambda wildcards: config["corpora"][wildcards.corpus],
    script:
        "../scripts/corpora/encode.py"


rule swap_terms:
    """Swap the words of two groups in random sentences of an encoded corpus: an unbiased control."""
    input:
        corpus=original_corpus_files,
        swap=lambda wildcards: config["corpora"][wildcards.corpus]["swap"],
    output:
        tokens="results/corpora/{corpus}/tokens.npy",
        words="results/corpora/{corpus}/words.txt",
        counts="results/corpora/{corpus}/counts.npy",
        summary="results/corpora/{corpus}/summary.json",
    log:
        "results/logs/corpora/{corpus}/swap_terms.log",
    wildcard_constraints:
        corpus=corpus_names("counterfactual"),
    resources:
        mem_mb=memory(1),
        runtime=minutes(60),
    params:
        swap=lambda wildcards: config["corpora"][wildcards.corpus]["swap"],
        seed=config["seed"],
    script:
        "../scripts/corpora/swap_terms.py"


rule shuffle_words:
    """Put the words of an encoded corpus in random order over the whole text: co-occurrence without meaning."""
    input:
        original=original_corpus_files,
    output:
        tokens="results/corpora/{corpus}/tokens.npy",
        words="results/corpora/{corpus}/words.txt",
        counts="results/corpora/{corpus}/counts.npy",
        summary="results/corpora/{corpus}/summary.json",
    log:
        "results/logs/corpora/{corpus}/shuffle_words.log",
    wildcard_constraints:
        corpus=corpus_names("shuffled"),
    resources:
        mem_mb=memory(3),
        runtime=minutes(60),
    params:
        seed=config["seed"],
    script:
        "../scripts/corpora/shuffle_words.py"

STUDY = config["first_order"]


rule score_first_order:
    """Score the occupations of a corpus with one metric, on every embedding and with every word list."""
    input:
        embeddings=expand("results/embeddings/{{corpus}}/{embedding}", embedding=STUDY["embeddings"]),
        word_lists=list(STUDY["word_lists"].values()),
        statistics=list(STUDY["occupation_statistics"].values()),
        occupations=STUDY["occupations"],
    output:
        "results/first_order/scores/{corpus}/{metric}.csv",
    log:
        "results/logs/first_order/scores/{corpus}/{metric}.log",
    conda:
        "../../envs/biassay.yaml"
    resources:
        mem_mb=memory(2),
        runtime=minutes(60),
    params:
        metric=metric_name,
        word_lists=STUDY["word_lists"],
        embeddings=STUDY["embeddings"],
    script:
        "../../scripts/first_order/score.py"


rule list_missing_words:
    """List the words of word lists and statistics that are missing from the vocabulary of a corpus."""
    input:
        words=expand("results/corpora/{corpus}/words.txt", corpus=STUDY["corpora"]),
        word_lists=list(STUDY["word_lists"].values()),
        statistics=list(STUDY["occupation_statistics"].values()),
        occupations=STUDY["occupations"],
    output:
        "results/first_order/missing_words.csv",
    log:
        "results/logs/first_order/missing_words.log",
    conda:
        "../../envs/biassay.yaml"
    params:
        corpora=STUDY["corpora"],
        word_lists=STUDY["word_lists"],
        statistics=STUDY["occupation_statistics"],
    script:
        "../../scripts/first_order/list_missing_words.py"


rule correlate_first_order:
    """Correlate bias scores with occupation statistics, and compare first-order with second-order correlations."""
    input:
        scores=expand(
            "results/first_order/scores/{corpus}/{metric}.csv", corpus=STUDY["corpora"], metric=STUDY["metrics"]
        ),
        statistics=list(STUDY["occupation_statistics"].values()),
        ground_truths=ground_truths(STUDY["corpora"]),
        published=in_workflow("resources/published/first_order.csv"),
    output:
        correlations="results/first_order/correlations.csv",
        comparisons="results/first_order/comparisons.csv",
    log:
        "results/logs/first_order/correlations.log",
    conda:
        "../../envs/biassay.yaml"
    resources:
        mem_mb=memory(3),
        runtime=minutes(60),
    params:
        statistics=STUDY["occupation_statistics"],
        relatives=same_counts(STUDY["embeddings"]),
        resamples=STUDY["resamples"],
        seed=config["seed"],
    script:
        "../../scripts/first_order/correlate.py"


rule list_neighbours:
    """List the nearest neighbours of a few words, to check that an embedding is sensible."""
    input:
        embeddings=expand(
            "results/embeddings/{corpus}/{embedding}", corpus=STUDY["corpora"], embedding=STUDY["embeddings"]
        ),
    output:
        "results/first_order/neighbours.csv",
    log:
        "results/logs/first_order/neighbours.log",
    conda:
        "../../envs/biassay.yaml"
    resources:
        mem_mb=memory(2),
    params:
        words=STUDY["neighbour_words"],
    script:
        "../../scripts/first_order/list_neighbours.py"


rule plot_correlations:
    """Plot the correlations of a corpus by representation and by word list (Table 1 and Figure 2)."""
    input:
        correlations=rules.correlate_first_order.output.correlations,
    output:
        representations=multiext("results/first_order/figures/{corpus}/representations", ".svg", ".png"),
        word_lists=multiext("results/first_order/figures/{corpus}/word_lists", ".svg", ".png"),
    log:
        "results/logs/first_order/figures/{corpus}/correlations.log",
    conda:
        "../../envs/biassay.yaml"
    params:
        shown={"main_list": STUDY["main_list"], "generated": has_planted_bias(STUDY["corpora"])},
    script:
        "../../scripts/first_order/plot_correlations.py"

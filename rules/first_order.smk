STUDY = config["first_order"]
WORD_LISTS = list(STUDY["word_lists"].values())
MAIN_LIST = STUDY["word_lists"][STUDY["main_list"]]


rule score_first_order:
    """Score the occupations of a corpus with all metrics, on every embedding and with every word list."""
    input:
        embeddings=expand("results/embeddings/{{corpus}}/{embedding}", embedding=STUDY["embeddings"]),
        word_lists=WORD_LISTS,
        statistics=list(STUDY["occupation_statistics"].values()),
        occupations=STUDY["occupations"],
    output:
        expand("results/first_order/scores/{{corpus}}/{metric}.csv", metric=STUDY["metrics"]),
    log:
        "results/logs/first_order/scores/{corpus}.log",
    resources:
        mem_mb=memory(2),
        runtime=minutes(60),
    params:
        metrics=metric_names(STUDY["metrics"]),
        word_lists=STUDY["word_lists"],
        embeddings=STUDY["embeddings"],
    script:
        "../scripts/first_order/score.py"


rule list_words:
    """List the words of lists that are missing from the corpora, and the nearest neighbours of a few words."""
    input:
        vocabularies=expand("results/corpora/{corpus}/words.txt", corpus=STUDY["corpora"]),
        word_lists=WORD_LISTS,
        statistics=list(STUDY["occupation_statistics"].values()),
        occupations=STUDY["occupations"],
        embeddings=expand(
            "results/embeddings/{corpus}/{embedding}", corpus=STUDY["corpora"], embedding=STUDY["embeddings"]
        ),
    output:
        missing_words="results/first_order/missing_words.csv",
        neighbours="results/first_order/neighbours.csv",
    log:
        "results/logs/first_order/words.log",
    resources:
        mem_mb=memory(2),
    params:
        vocabularies=STUDY["corpora"],
        word_lists=STUDY["word_lists"],
        statistics=STUDY["occupation_statistics"],
        neighbour_words=STUDY["neighbour_words"],
    script:
        "../scripts/first_order/list_words.py"


rule correlate_first_order:
    """Correlate bias scores with occupation statistics and planted bias, and compare first- with second-order scores."""
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
        confounding="results/first_order/confounding.csv",
        false_positives="results/first_order/false_positives.csv",
    log:
        "results/logs/first_order/correlations.log",
    resources:
        mem_mb=memory(3),
        runtime=minutes(60),
    params:
        corpora=STUDY["corpora"],  # the board's numbers are of the first
        statistics=STUDY["occupation_statistics"],
        relatives=same_counts(STUDY["embeddings"]),
        resamples=STUDY["resamples"],
        seed=config["seed"],
    script:
        "../scripts/first_order/correlate.py"


rule diagnose_embedding:
    """Diagnose an embedding: contexts of second-order bias, factors and debiasing, perceived gender (T2, F3–F5, T3)."""
    input:
        embedding=f"results/embeddings/{{corpus}}/{STUDY['diagnosed_embedding']}",
        main_list=MAIN_LIST,
        word_lists=WORD_LISTS,
        occupations=STUDY["occupations"],
        published=in_workflow("resources/published/first_order.csv"),
    output:
        contexts="results/first_order/diagnosis/{corpus}/contexts.csv",
        factors="results/first_order/diagnosis/{corpus}/factors.csv",
        bands="results/first_order/diagnosis/{corpus}/bands.csv",
        accuracies="results/first_order/diagnosis/{corpus}/accuracies.csv",
        top_features="results/first_order/diagnosis/{corpus}/top_features.csv",
        figures=expand(
            "results/first_order/figures/{{corpus}}/{figure}{end}",
            figure=["occupations", "histograms", "debiased", "effects", "weights"],
            end=FIGURE,
        ),
    log:
        "results/logs/first_order/diagnosis/{corpus}.log",
    resources:
        mem_mb=memory(3),
    params:
        options=STUDY["diagnosis"],
        seed=config["seed"],
    script:
        "../scripts/first_order/diagnose.py"


rule plot_correlations:
    """Plot the correlations of all corpora (Table 1 and Figure 2), and write the findings."""
    input:
        **rules.correlate_first_order.output,
    output:
        figures=expand(
            "results/first_order/figures/{corpus}/{figure}{end}",
            corpus=STUDY["corpora"],
            figure=["representations", "word_lists"],
            end=FIGURE,
        ),
        findings="results/first_order/findings.csv",
    log:
        "results/logs/first_order/figures.log",
    params:
        main_list=STUDY["main_list"],
        generated=planted_statistics(),
    script:
        "../scripts/first_order/plot_correlations.py"


rule first_order:
    """Does direct co-occurrence measure bias better than vector similarity?"""
    input:
        rules.correlate_first_order.output,
        rules.list_words.output,
        rules.plot_correlations.output,
        expand(rules.diagnose_embedding.output, corpus=STUDY["corpora"]),

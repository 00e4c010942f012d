STUDY = config["first_order"]
WORD_LISTS = list(STUDY["word_lists"].values())
MAIN_LIST = STUDY["word_lists"][STUDY["main_list"]]


rule score_first_order:
    """Score the occupations of a corpus with one metric, on every embedding and with every word list."""
    input:
        embeddings=expand("results/embeddings/{{corpus}}/{embedding}", embedding=STUDY["embeddings"]),
        word_lists=WORD_LISTS,
        statistics=list(STUDY["occupation_statistics"].values()),
        occupations=STUDY["occupations"],
    output:
        "results/first_order/scores/{corpus}/{metric}.csv",
    log:
        "results/logs/first_order/scores/{corpus}/{metric}.log",
    resources:
        mem_mb=memory(2),
        runtime=minutes(60),
    params:
        metric_file=metric_name,
        word_lists=STUDY["word_lists"],
        embeddings=STUDY["embeddings"],
    script:
        "../scripts/first_order/score.py"


rule list_missing_words:
    """List the words of word lists and statistics that are missing from the vocabulary of a corpus."""
    input:
        vocabularies=expand("results/corpora/{corpus}/words.txt", corpus=STUDY["corpora"]),
        word_lists=WORD_LISTS,
        statistics=list(STUDY["occupation_statistics"].values()),
        occupations=STUDY["occupations"],
    output:
        "results/first_order/missing_words.csv",
    log:
        "results/logs/first_order/missing_words.log",
    params:
        vocabularies=STUDY["corpora"],
        word_lists=STUDY["word_lists"],
        statistics=STUDY["occupation_statistics"],
    script:
        "../scripts/first_order/list_missing_words.py"


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
    resources:
        mem_mb=memory(2),
    params:
        words=STUDY["neighbour_words"],
    script:
        "../scripts/first_order/list_neighbours.py"


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
        statistics=STUDY["occupation_statistics"],
        relatives=same_counts(STUDY["embeddings"]),
        resamples=STUDY["resamples"],
        seed=config["seed"],
    script:
        "../scripts/first_order/correlate.py"


rule diagnose_embedding:
    """Diagnose an embedding: contexts of second-order bias, factors and debiasing, perceived gender (T2, F3–F5, T3)."""
    input:
        embedding=diagnosed_embedding,
        main_list=MAIN_LIST,
        word_lists=WORD_LISTS,
        occupations=STUDY["occupations"],
        vocabulary="results/corpora/{corpus}/words.txt",
        counts="results/corpora/{corpus}/counts.npy",
        published=in_workflow("resources/published/first_order.csv"),
    output:
        contexts="results/first_order/diagnosis/{corpus}/contexts.csv",
        factors="results/first_order/diagnosis/{corpus}/factors.csv",
        bands="results/first_order/diagnosis/{corpus}/bands.csv",
        accuracies="results/first_order/diagnosis/{corpus}/accuracies.csv",
        top_features="results/first_order/diagnosis/{corpus}/top_features.csv",
    log:
        "results/logs/first_order/diagnosis/{corpus}.log",
    resources:
        mem_mb=memory(2),
    params:
        options=STUDY["diagnosis"],
        seed=config["seed"],
    script:
        "../scripts/first_order/diagnose.py"


rule plot_correlations:
    """Plot the correlations of a corpus by representation and by word list (Table 1 and Figure 2)."""
    input:
        correlations=rules.correlate_first_order.output.correlations,
    output:
        representations=multiext("results/first_order/figures/{corpus}/representations", ".svg", ".png"),
        word_lists=multiext("results/first_order/figures/{corpus}/word_lists", ".svg", ".png"),
    log:
        "results/logs/first_order/figures/{corpus}/correlations.log",
    params:
        main_list=STUDY["main_list"],
        generated=has_planted_bias(STUDY["corpora"]),
    script:
        "../scripts/first_order/plot_correlations.py"


rule plot_diagnosis:
    """Plot factors of occupations (Figures 3 to 5), and effects and weights of context words (Tables 2 and 3)."""
    input:
        factors=rules.diagnose_embedding.output.factors,
        bands=rules.diagnose_embedding.output.bands,
        contexts=rules.diagnose_embedding.output.contexts,
        top_features=rules.diagnose_embedding.output.top_features,
        accuracies=rules.diagnose_embedding.output.accuracies,
    output:
        occupations=multiext("results/first_order/figures/{corpus}/occupations", ".svg", ".png"),
        histograms=multiext("results/first_order/figures/{corpus}/histograms", ".svg", ".png"),
        debiased=multiext("results/first_order/figures/{corpus}/debiased", ".svg", ".png"),
        effects=multiext("results/first_order/figures/{corpus}/effects", ".svg", ".png"),
        weights=multiext("results/first_order/figures/{corpus}/weights", ".svg", ".png"),
    log:
        "results/logs/first_order/figures/{corpus}/diagnosis.log",
    params:
        n_named=STUDY["diagnosis"]["n_named"],
    script:
        "../scripts/first_order/plot_diagnosis.py"


rule answer_first_order:
    """Answer the study's question: write its findings, and a page fragment with the comparisons."""
    input:
        tables=[
            *rules.correlate_first_order.output,
            *expand(
                "results/first_order/diagnosis/{corpus}/{table}.csv",
                corpus=STUDY["corpora"],
                table=["contexts", "accuracies", "bands"],
            ),
        ],
    output:
        answer="results/first_order/answer.html",
        findings="results/first_order/findings.csv",
    log:
        "results/logs/first_order/answer.log",
    params:
        main_list=STUDY["main_list"],
        generated=has_planted_bias(STUDY["corpora"]),
    script:
        "../scripts/first_order/answer.py"


rule first_order:
    """Does direct co-occurrence measure bias better than vector similarity?"""
    input:
        rules.correlate_first_order.output,
        rules.answer_first_order.output,
        rules.list_missing_words.output,
        rules.list_neighbours.output,
        expand(rules.plot_correlations.output, corpus=STUDY["corpora"]),
        expand(rules.diagnose_embedding.output, corpus=STUDY["corpora"]),
        expand(rules.plot_diagnosis.output, corpus=STUDY["corpora"]),

DIAGNOSED = ["contexts", "accuracies", "bands"]


rule measure_confounding:
    """Measure how much the bias score of an occupation depends on the planted bias of its partner."""
    input:
        scores=rules.correlate_first_order.input.scores,
        ground_truths=ground_truths(STUDY["corpora"]),
    output:
        "results/first_order/confounding.csv",
    log:
        "results/logs/first_order/confounding.log",
    conda:
        "../../envs/biassay.yaml"
    params:
        seed=config["seed"],
    script:
        "../../scripts/first_order/measure_confounding.py"


rule count_first_order_false_positives:
    """Count the significant correlations with statistics on corpora without bias."""
    input:
        correlations=rules.correlate_first_order.output.correlations,
        ground_truths=ground_truths(STUDY["corpora"]),
    output:
        "results/first_order/false_positives.csv",
    log:
        "results/logs/first_order/false_positives.log",
    conda:
        "../../envs/biassay.yaml"
    script:
        "../../scripts/first_order/count_false_positives.py"


rule diagnose_contexts:
    """List the context words that contribute most to the second-order bias of occupations (Table 2)."""
    input:
        embedding=diagnosed_embedding,
        main_list=STUDY["word_lists"][STUDY["main_list"]],
        word_lists=list(STUDY["word_lists"].values()),
    output:
        contexts="results/first_order/diagnosis/{corpus}/contexts.csv",
    log:
        "results/logs/first_order/diagnosis/{corpus}/contexts.log",
    conda:
        "../../envs/biassay.yaml"
    resources:
        mem_mb=memory(2),
    params:
        embedding=STUDY["diagnosed_embedding"],
        options=STUDY["diagnosis"],
    script:
        "../../scripts/first_order/diagnose_contexts.py"


rule measure_factors:
    """Measure the group factors of occupations, normalised over all words, before and after hard debiasing."""
    input:
        embedding=diagnosed_embedding,
        main_list=STUDY["word_lists"][STUDY["main_list"]],
        word_lists=list(STUDY["word_lists"].values()),
        occupations=STUDY["occupations"],
    output:
        factors="results/first_order/diagnosis/{corpus}/factors.csv",
        bands="results/first_order/diagnosis/{corpus}/bands.csv",
    log:
        "results/logs/first_order/diagnosis/{corpus}/factors.log",
    conda:
        "../../envs/biassay.yaml"
    resources:
        mem_mb=memory(2),
    script:
        "../../scripts/first_order/measure_factors.py"


rule classify_perceived:
    """Classify occupations by perceived gender before and after debiasing, and list the top features (Table 3)."""
    input:
        embedding=diagnosed_embedding,
        main_list=STUDY["word_lists"][STUDY["main_list"]],
        word_lists=list(STUDY["word_lists"].values()),
        occupations=STUDY["occupations"],
        corpus=multiext("results/corpora/{corpus}/", "words.txt", "counts.npy"),
        published=in_workflow("resources/published/first_order.csv"),
    output:
        accuracies="results/first_order/diagnosis/{corpus}/accuracies.csv",
        top_features="results/first_order/diagnosis/{corpus}/top_features.csv",
    log:
        "results/logs/first_order/diagnosis/{corpus}/perceived.log",
    conda:
        "../../envs/biassay.yaml"
    resources:
        mem_mb=memory(2),
    params:
        options=STUDY["diagnosis"] | {"seed": config["seed"]},
    script:
        "../../scripts/first_order/classify_perceived.py"


rule plot_factors:
    """Plot factors and bias of occupations, before and after hard debiasing (Figures 3 to 5)."""
    input:
        factors=rules.measure_factors.output.factors,
        bands=rules.measure_factors.output.bands,
    output:
        factors=multiext("results/first_order/figures/{corpus}/occupations", ".svg", ".png"),
        histograms=multiext("results/first_order/figures/{corpus}/histograms", ".svg", ".png"),
        debiased=multiext("results/first_order/figures/{corpus}/debiased", ".svg", ".png"),
    log:
        "results/logs/first_order/figures/{corpus}/factors.log",
    conda:
        "../../envs/biassay.yaml"
    params:
        n_named=STUDY["diagnosis"]["n_named"],
    script:
        "../../scripts/first_order/plot_factors.py"


rule plot_contexts:
    """Plot the effects of context words on second-order bias, and their weights in the classifier (Tables 2 and 3)."""
    input:
        contexts=rules.diagnose_contexts.output.contexts,
        top_features=rules.classify_perceived.output.top_features,
        accuracies=rules.classify_perceived.output.accuracies,
    output:
        effects=multiext("results/first_order/figures/{corpus}/effects", ".svg", ".png"),
        weights=multiext("results/first_order/figures/{corpus}/weights", ".svg", ".png"),
    log:
        "results/logs/first_order/figures/{corpus}/contexts.log",
    conda:
        "../../envs/biassay.yaml"
    script:
        "../../scripts/first_order/plot_contexts.py"


rule answer_first_order:
    """Answer the study's question: write its findings, and a page fragment with the comparisons."""
    input:
        tables=[
            *rules.correlate_first_order.output,
            *rules.measure_confounding.output,
            *rules.count_first_order_false_positives.output,
            *expand("results/first_order/diagnosis/{corpus}/{table}.csv", corpus=STUDY["corpora"], table=DIAGNOSED),
        ],
    output:
        answer="results/first_order/answer.html",
        findings="results/first_order/findings.csv",
    log:
        "results/logs/first_order/answer.log",
    conda:
        "../../envs/biassay.yaml"
    params:
        main_list=STUDY["main_list"],
        generated=has_planted_bias(STUDY["corpora"]),
    script:
        "../../scripts/first_order/answer.py"


rule first_order:
    """Does direct co-occurrence measure bias better than vector similarity?"""
    input:
        rules.correlate_first_order.output,
        rules.answer_first_order.output,
        rules.measure_confounding.output,
        rules.count_first_order_false_positives.output,
        rules.list_missing_words.output,
        rules.list_neighbours.output,
        expand(rules.plot_correlations.output, corpus=STUDY["corpora"]),
        expand(rules.diagnose_contexts.output, corpus=STUDY["corpora"]),
        expand(rules.measure_factors.output, corpus=STUDY["corpora"]),
        expand(rules.classify_perceived.output, corpus=STUDY["corpora"]),
        expand(rules.plot_factors.output, corpus=STUDY["corpora"]),
        expand(rules.plot_contexts.output, corpus=STUDY["corpora"]),

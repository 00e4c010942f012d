STUDY = config["first_order"]


rule score_first_order:
    """Score occupations of a corpus with one metric, on every embedding and word list."""
    input:
        embeddings=expand("results/embeddings/{{corpus}}/{embedding}", embedding=STUDY["embeddings"]),
        word_lists=list(STUDY["word_lists"].values()),
        statistics=list(STUDY["statistics"].values()),
        occupations=STUDY["occupations"],
        code=code("score_first_order", metric_file),
    output:
        "results/first_order/scores/{corpus}/{metric}.csv",
    log:
        "results/logs/first_order/scores/{corpus}/{metric}.log",
    conda:
        "../envs/biassay.yaml"
    threads: 1
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        metric=metric_name,
        word_lists=STUDY["word_lists"],
        embeddings=STUDY["embeddings"],
    script:
        "../scripts/score_first_order.py"


rule list_missing_words:
    """List the words of lists and statistics that a corpus's vocabulary lacks."""
    input:
        words=expand("results/corpora/{corpus}/words.txt", corpus=STUDY["corpora"]),
        word_lists=list(STUDY["word_lists"].values()),
        statistics=list(STUDY["statistics"].values()),
        occupations=STUDY["occupations"],
        code=code("list_missing_words"),
    output:
        report(
            "results/first_order/missing_words.csv",
            caption="../report/missing_words.rst",
            category="First order",
            subcategory="Tables",
            labels={"table": "Missing words"},
        ),
    log:
        "results/logs/first_order/missing_words.log",
    conda:
        "../envs/biassay.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        corpora=STUDY["corpora"],
        word_lists=STUDY["word_lists"],
        statistics=STUDY["statistics"],
    script:
        "../scripts/list_missing_words.py"


rule correlate_first_order:
    """Correlate bias scores with statistics, and compare first-order with second-order correlations."""
    input:
        scores=expand(
            "results/first_order/scores/{corpus}/{metric}.csv", corpus=STUDY["corpora"], metric=STUDY["metrics"]
        ),
        statistics=list(STUDY["statistics"].values()),
        truths=truths(STUDY["corpora"]),
        code=code("correlate_first_order"),
    output:
        correlations=report(
            "results/first_order/correlations.csv",
            caption="../report/correlations.rst",
            category="First order",
            subcategory="Tables",
            labels={"table": "Correlations"},
        ),
        comparisons=report(
            "results/first_order/comparisons.csv",
            caption="../report/comparisons.rst",
            category="First order",
            subcategory="Tables",
            labels={"table": "First order against second order"},
        ),
    log:
        "results/logs/first_order/correlations.log",
    conda:
        "../envs/biassay.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=60,
    params:
        statistics=STUDY["statistics"],
        relatives=relatives(STUDY["embeddings"]),
        bootstrap=STUDY["bootstrap"],
        seed=config["seed"],
    script:
        "../scripts/correlate_first_order.py"


rule answer_first_order:
    """Answer the study's question in one page: where first order correlates more, and whether that is significant."""
    input:
        comparisons=rules.correlate_first_order.output.comparisons,
        code=code("answer_first_order"),
    output:
        report(
            "results/first_order/answer.html",
            caption="../report/answer.rst",
            category="First order",
            subcategory="Answer",
            labels={"table": "Does first order correlate more?"},
        ),
    log:
        "results/logs/first_order/answer.log",
    conda:
        "../envs/biassay.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        main_list=STUDY["main_list"],
    script:
        "../scripts/answer_first_order.py"


rule list_neighbours:
    """List the nearest words of some words, to see whether an embedding is sensible."""
    input:
        embeddings=expand(
            "results/embeddings/{corpus}/{embedding}", corpus=STUDY["corpora"], embedding=STUDY["embeddings"]
        ),
        code=code("list_neighbours"),
    output:
        report(
            "results/first_order/neighbours.csv",
            caption="../report/neighbours.rst",
            category="First order",
            subcategory="Tables",
            labels={"table": "Neighbours"},
        ),
    log:
        "results/logs/first_order/neighbours.log",
    conda:
        "../envs/biassay.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        words=STUDY["show_neighbours"],
    script:
        "../scripts/list_neighbours.py"


rule plot_correlations:
    """Draw T1 and F2 of the first-order paper for a corpus: correlations by embedding and by word list."""
    input:
        correlations=rules.correlate_first_order.output.correlations,
        code=code("plot_correlations"),
    output:
        representations=report(
            "results/first_order/figures/{corpus}/representations.svg",
            caption="../report/representations.rst",
            category="First order",
            subcategory="Figures",
            labels={"figure": "Correlations by representation", "corpus": "{corpus}"},
        ),
        word_lists=report(
            "results/first_order/figures/{corpus}/word_lists.svg",
            caption="../report/word_lists.rst",
            category="First order",
            subcategory="Figures",
            labels={"figure": "Correlations by word list", "corpus": "{corpus}"},
        ),
        representations_png="results/first_order/figures/{corpus}/representations.png",
        word_lists_png="results/first_order/figures/{corpus}/word_lists.png",
    log:
        "results/logs/first_order/figures/{corpus}.log",
    conda:
        "../envs/biassay.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        main_list=STUDY["main_list"],
    script:
        "../scripts/plot_correlations.py"

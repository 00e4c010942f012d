rule tabulate_published:
    """Recompute published numbers from the vectors that they are published for: table and figure."""
    input:
        vectors=published_vectors,
        numbers=config["published"]["numbers"],
        word_lists=config["published"]["word_lists"],
    output:
        table="results/published/numbers.csv",
        figure=multiext("results/published/figures/numbers", *FIGURE),
    log:
        "results/logs/published/numbers.log",
    resources:
        runtime=minutes(60),
    params:
        vectors=list(config["published"]["vectors"]),
        files=config["published"]["vectors"],
        permutations=config["published"]["permutations"],
        seed=config["seed"],
    script:
        "../scripts/published/tabulate.py"


rule published:
    """Recompute published numbers: table and figure."""
    input:
        rules.tabulate_published.output,

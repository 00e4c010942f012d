# With several `seeds`, the workflow is a module of itself for each further seed: the rules with another seed, and with
# results/seeds/<seed>/ for results/.
SEED_TABLES = seeds.tables(config)


wildcard_constraints:
    table="|".join(SEED_TABLES) or "(?!)",


for seed in [seed for seed in config["seeds"] if seed != config["seed"]]:
    seeded = f"seed_{seed}_"

    module:
        name: seeded
        snakefile:
            os.path.join(HOME, "Snakefile")
        config:
            seeds.config_of(config, seed)
        replace_prefix:
            {"results/": f"results/seeds/{seed}/"}

    use rule * from seeded as seeded*


rule summarise_seeds:
    """Summarise a table over the seeds: means, spreads, and how often an order of two contenders holds."""
    input:
        tables=seed_tables,
    output:
        summary=in_report("results/seeds/{table}/summary.csv", "{table}: means"),
        pairwise=in_report("results/seeds/{table}/pairwise.csv", "{table}: orders"),
    log:
        "results/logs/seeds/{table}.log",
    conda:
        "../envs/biassay.yaml"
    resources:
        **SMALL,
    params:
        code=code("seeds/summarise"),
        seeds=config["seeds"],
    script:
        "../scripts/seeds/summarise.py"


rule plot_seeds:
    """Draw the values of a table by contender, a dot a seed."""
    input:
        tables=seed_tables,
    output:
        figure("results/seeds/{table}/seeds", "{table}: a dot a seed"),
    log:
        "results/logs/seeds/{table}/plot.log",
    conda:
        "../envs/biassay.yaml"
    resources:
        **SMALL,
    params:
        code=code("seeds/plot"),
        seeds=config["seeds"],
        main_list=config["first_order"]["main_list"],
    script:
        "../scripts/seeds/plot.py"


rule seeds:
    """How far do the results hang on the seed? The studies with every one of `seeds`, and what that gives together."""
    input:
        expand([*rules.summarise_seeds.output, *rules.plot_seeds.output], table=SEED_TABLES),

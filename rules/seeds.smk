# For each further seed of `seeds`, the workflow includes itself as a module with that seed. The module writes to
# results/seeds/<seed>/ instead of results/.
SEED_TABLES = settings.seed_tables(config)


wildcard_constraints:
    table="|".join(SEED_TABLES) or "(?!)",


for seed in [seed for seed in config["seeds"] if seed != config["seed"]]:
    seeded = f"seed_{seed}_"

    module:
        name: seeded
        snakefile:
            os.path.join(HOME, "Snakefile")
        config:
            GIVEN | {"seed": seed, "seeds": []}
        replace_prefix:
            {"results/": f"results/seeds/{seed}/"}

    use rule * from seeded exclude download_file as seeded*


rule summarise_seeds:
    """Summarise a table over seeds: means, the consistency of pairwise orders, and a figure with one dot per seed."""
    input:
        tables=lambda wildcards: seed_tables(wildcards.table),
    output:
        summary="results/seeds/{table}/summary.csv",
        pairwise="results/seeds/{table}/pairwise.csv",
        figure=multiext("results/seeds/{table}/seeds", *FIGURE),
    log:
        "results/logs/seeds/{table}.log",
    params:
        tables=config["seeds"],
        main_list=config["first_order"]["main_list"],
    script:
        "../scripts/seeds/summarise.py"


rule seeds:
    """How much do the results depend on the seed?"""
    input:
        expand(rules.summarise_seeds.output, table=SEED_TABLES),

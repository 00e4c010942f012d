BOARD_METRICS = board_config.metrics(config)
BOARD_TABLES = board_config.tables(config)
SITE = [*config["studies"], *(["seeds"] if config["seeds"] else [])]
STUDIES_WITH_FINDINGS = [
    study for study in config["studies"] if study not in ("published", "reliability", "calibration")
]
QUESTIONS = {study: getattr(rules, study).rule.docstring for study in SITE}
DESCRIPTIONS = {
    study: in_workflow("biassay", "calibration" if study == "calibration" else f"studies/{study}", "results.yaml")
    for study in SITE
}


rule collect_board:
    """Collect the board: the values of every metric by every criterion, from the tables of all studies."""
    input:
        tables=[f"results/{path}.csv" for _, _, path in BOARD_TABLES],
        criteria=in_workflow("resources/board/criteria.csv"),
    output:
        board="results/board/board.csv",
        criteria="results/board/criteria.csv",
    log:
        "results/logs/board/board.log",
    params:
        tables=BOARD_TABLES,
        metrics=BOARD_METRICS,
        chosen=board_config.metrics_by_study(config),
        studies=config["studies"],
        main_list=config["first_order"]["main_list"],
    script:
        "../scripts/board/collect.py"


rule plot_board:
    """Draw the board: metrics by criteria, and the metrics that dominate each metric."""
    input:
        board=rules.collect_board.output.board,
    output:
        multiext("results/board/figures/board", *FIGURE),
    log:
        "results/logs/board/figures.log",
    script:
        "../scripts/board/plot.py"


rule summarise_board:
    """Summarise the boards of several seeds: means, standard deviations, and in how many seeds a metric is ahead."""
    input:
        tables=lambda wildcards: seed_tables("board/board"),
    output:
        summary="results/board/seeds.csv",
        pairwise="results/board/pairwise.csv",
    log:
        "results/logs/board/seeds.log",
    params:
        tables=config["seeds"],
        table="board/board",
        main_list=config["first_order"]["main_list"],
    script:
        "../scripts/seeds/summarise.py"


rule write_libraries:
    """Write the libraries that draw charts and tables, once for all pages of the site."""
    output:
        multiext("results/board/libraries/", "vega.js", "datatables.js", "datatables.css"),
    log:
        "results/logs/board/libraries.log",
    localrule: True
    script:
        "../scripts/board/write_libraries.py"


rule write_study_board:
    """Write the page of a study: its verdicts, charts, figures, tables and configuration."""
    input:
        rules.write_libraries.output,
        results=study_results,
        descriptions=lambda wildcards: DESCRIPTIONS[wildcards.study],
    output:
        "results/board/{study}.html",
    log:
        "results/logs/board/{study}.log",
    resources:
        mem_mb=memory(6),
    params:
        questions=QUESTIONS,
        config=lambda wildcards: config[wildcards.study],
        seed=config["seed"],
    script:
        "../scripts/board/write_study.py"


rule write_board:
    """Write the first page of the site of results: verdicts of all studies, the board, and links to the studies."""
    input:
        board=rules.collect_board.output.board,
        files=[rules.collect_board.output, rules.plot_board.output]
        + ([rules.summarise_board.output] if config["seeds"] else []),
        descriptions=in_workflow("biassay/studies/board/results.yaml"),
        uses=in_workflow("resources/board/uses.csv"),
        findings=expand("results/{study}/findings.csv", study=STUDIES_WITH_FINDINGS),
    output:
        "results/index.html",
    log:
        "results/logs/board/index.log",
    params:
        studies=STUDIES_WITH_FINDINGS,
        questions=QUESTIONS,
        reference=board_config.reference(config),
        seed=config["seed"],
    script:
        "../scripts/board/write.py"


rule board:
    """Which metric can be trusted, and for what? The board of metrics by criteria, and one page per study."""
    input:
        rules.write_board.output,
        rules.plot_board.output,
        expand(rules.write_study_board.output, study=SITE),
        rules.summarise_board.output if config["seeds"] else [],

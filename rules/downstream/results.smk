DOWNSTREAM_ENCODED = expand(rules.encode_downstream.output[0], model=DOWNSTREAM_UNITS)


rule gather_downstream:
    """Gather the downstream bias: gaps of the classifiers, and the more likely sentence of each pair."""
    input:
        pairs=DOWNSTREAM_DATA["pairs"],
        encoded=DOWNSTREAM_ENCODED,
        heads=expand(rules.train_downstream_heads.output[0], model=DOWNSTREAM_UNITS) if DOWNSTREAM["texts"] else [],
    output:
        models="results/downstream/models.csv",
        classifiers="results/downstream/tables/classifiers.csv",
        classes="results/downstream/tables/classes.csv",
        shares="results/downstream/tables/shares.csv",
        differences="results/downstream/differences.csv",
        bias="results/downstream/bias.csv",
    log:
        "results/logs/downstream/gather.log",
    conda:
        "../../envs/language_models.yaml"
    resources:
        mem_mb=memory(1),
    params:
        pairs=DOWNSTREAM["pairs"],
    script:
        "../../scripts/downstream/gather.py"


rule score_downstream:
    """Score all models with one metric: texts, classes, titles, pairs, and subsets of the texts."""
    input:
        **DOWNSTREAM_DATA,
        encoded=DOWNSTREAM_ENCODED,
        words=DOWNSTREAM["defining"],
    output:
        scores="results/downstream/scores/{metric}.csv",
        pair_scores="results/downstream/pair_scores/{metric}.csv",
        subsets="results/downstream/subsets/{metric}.csv",
    log:
        "results/logs/downstream/scores/{metric}.log",
    conda:
        "../../envs/biassay.yaml"
    resources:
        mem_mb=memory(1),
        runtime=minutes(240),
    params:
        chosen=lambda wildcards: DOWNSTREAM_METRICS[wildcards.metric],
        texts=DOWNSTREAM["texts"],
        pairs=DOWNSTREAM["pairs"],
        groupings=settings.downstream_groupings(config),
        n_directions=DOWNSTREAM["heads"]["n_directions"],
        robustness=DOWNSTREAM["robustness"],
        seed=config["seed"],
    script:
        "../../scripts/downstream/score.py"


rule analyse_downstream:
    """Compare scores with downstream bias: rankings of models, correlations, and robustness to fewer texts."""
    input:
        **rules.gather_downstream.output,
        scores=expand(rules.score_downstream.output.scores, metric=DOWNSTREAM["metrics"]),
        pair_scores=expand(rules.score_downstream.output.pair_scores, metric=DOWNSTREAM["metrics"]),
        subsets=expand(rules.score_downstream.output.subsets, metric=DOWNSTREAM["metrics"]),
        sheets=expand(rules.collect_downstream_texts.output.sheet, texts=DOWNSTREAM["texts"]),
        words=DOWNSTREAM["defining"],
        published=in_workflow("resources/published/downstream.csv"),
    output:
        ranking="results/downstream/tables/ranking.csv",
        by_class="results/downstream/tables/by_class.csv",
        by_pair="results/downstream/tables/by_pair.csv",
        correlations="results/downstream/tables/correlations.csv",
        sets="results/downstream/tables/sets.csv",
        cases="results/downstream/tables/cases.csv",
        robustness="results/downstream/tables/robustness.csv",
        titles="results/downstream/tables/titles.csv",
    log:
        "results/logs/downstream/analyse.log",
    conda:
        "../../envs/biassay.yaml"
    params:
        scores=DOWNSTREAM["metrics"],
        pair_scores=DOWNSTREAM["metrics"],
        subsets=DOWNSTREAM["metrics"],
        sheets=DOWNSTREAM["texts"],
        files={name: metric["metric"] for name, metric in DOWNSTREAM_METRICS.items()},
        sources=settings.downstream_sources(config),
        n_resamples=DOWNSTREAM["resamples"],
        seed=config["seed"],
    script:
        "../../scripts/downstream/analyse.py"


rule plot_downstream:
    """Draw correlations within models and over models, rankings of models, and robustness to fewer texts."""
    input:
        **rules.analyse_downstream.output,
    output:
        classes=multiext("results/downstream/figures/classes", ".svg", ".png"),
        sets=multiext("results/downstream/figures/sets", ".svg", ".png"),
        ranking=multiext("results/downstream/figures/ranking", ".svg", ".png"),
        robustness=multiext("results/downstream/figures/robustness", ".svg", ".png"),
    log:
        "results/logs/downstream/plot.log",
    conda:
        "../../envs/biassay.yaml"
    script:
        "../../scripts/downstream/plot.py"


rule answer_downstream:
    """Answer the study's question in sentences and tables: do bias scores predict downstream bias?"""
    input:
        **rules.gather_downstream.output,
        **rules.analyse_downstream.output,
    output:
        page="results/downstream/answer.html",
        findings="results/downstream/findings.csv",
    log:
        "results/logs/downstream/answer.log",
    conda:
        "../../envs/biassay.yaml"
    script:
        "../../scripts/downstream/answer.py"


rule downstream:
    """Do bias scores of language models predict downstream bias?"""
    input:
        rules.gather_downstream.output,
        rules.analyse_downstream.output,
        rules.plot_downstream.output,
        rules.answer_downstream.output,

DOWNSTREAM = config["downstream"]
DOWNSTREAM_METRICS = study_metrics.chosen_metrics(config, "downstream")
DOWNSTREAM_PLANTED = {key: value for key, value in DOWNSTREAM["planted"].items() if key != "training"}
DOWNSTREAM_UNITS = settings.downstream_units(config)


rule plan_downstream:
    """Plan the models with planted bias: their strengths, and the probability of each group at strength 1."""
    input:
        templates=DOWNSTREAM["planted"]["templates"],
    output:
        plan="results/downstream/plan.csv",
        ground_truth="results/downstream/planted.csv",
    log:
        "results/logs/downstream/plan.log",
    localrule: True
    params:
        settings=DOWNSTREAM_PLANTED,
        seed=config["seed"],
    script:
        "../scripts/downstream/plan.py"


rule train_downstream:
    """Fine-tune copies of a language model with planted bias of known strength; resume after an interruption."""
    input:
        base=language_model_files(DOWNSTREAM["planted"]["language_model"]),
        templates=DOWNSTREAM["planted"]["templates"],
        plan=rules.plan_downstream.output.plan,
    output:
        temp(directory("results/downstream/trained")),
    log:
        "results/logs/downstream/train.log",
    priority: 1  # the longest job starts first
    threads: threads_of_models
    resources:
        mem_mb=memory(3 * len(DOWNSTREAM_PLANTED["strengths"]) * DOWNSTREAM_PLANTED["repeats"] + 4, of="base"),
        runtime=minutes(240),
        gpu=GPUS,
    params:
        base=folder_of("base"),
        settings=DOWNSTREAM["planted"],
        seed=config["seed"],
        working=checkpoint_path("downstream"),
    script:
        "../scripts/downstream/train.py"


rule collect_downstream_texts:
    """Collect texts about people, with classes and one group each, and their datasheet."""
    input:
        files=downstream_text_files,
        ground_truth=downstream_ground_truth,
        words=DOWNSTREAM["defining"],
        classes=downstream_classes,
    output:
        texts=directory("results/downstream/texts/{texts}"),
        sheet="results/downstream/datasheets/{texts}.csv",
    log:
        "results/logs/downstream/texts/{texts}.log",
    resources:
        mem_mb=memory(2),
        runtime=minutes(240),
    params:
        source=lambda wildcards: DOWNSTREAM["text_sets"][wildcards.texts]["source"],
        options=downstream_text_options,
        seed=config["seed"],
    script:
        "../scripts/downstream/collect_texts.py"


rule collect_downstream_pairs:
    """Collect pairs of sentences that differ in a group: the valid pairs of a file, or pairs made from templates."""
    input:
        files=downstream_pair_files,
        words=DOWNSTREAM["defining"],
    output:
        pairs="results/downstream/pairs/{pairs}.csv",
        sheet="results/downstream/datasheets/pairs/{pairs}.csv",
    log:
        "results/logs/downstream/pairs/{pairs}.log",
    localrule: True
    params:
        options=lambda wildcards: DOWNSTREAM["pair_sets"][wildcards.pairs],
        settings=downstream_pair_settings,
        seed=config["seed"],
    script:
        "../scripts/downstream/collect_pairs.py"


DOWNSTREAM_DATA = {
    "texts": expand(rules.collect_downstream_texts.output.texts, texts=DOWNSTREAM["texts"]),
    "pairs": expand(rules.collect_downstream_pairs.output.pairs, pairs=DOWNSTREAM["pairs"]),
}


rule encode_downstream:
    """Embed texts, titles, group words and pairs with a language model, or with all copies with planted bias."""
    input:
        **DOWNSTREAM_DATA,
        base=downstream_base,
        trained=lambda wildcards: ["results/downstream/trained"] if wildcards.model == settings.PLANTED else [],
        words=DOWNSTREAM["defining"],
    output:
        directory("results/downstream/encoded/{model}"),
    log:
        "results/logs/downstream/encode/{model}.log",
    threads: threads_of_models
    resources:
        mem_mb=memory(3),
        runtime=minutes(240),
        gpu=GPUS,
    params:
        base=folder_of("base"),
        texts=DOWNSTREAM["texts"],
        pairs=DOWNSTREAM["pairs"],
    script:
        "../scripts/downstream/encode.py"


rule train_downstream_heads:
    """Train classifiers on the vectors of a model's texts: all folds, learning rates and debiased variants."""
    input:
        texts=DOWNSTREAM_DATA["texts"],
        encoded=rules.encode_downstream.output[0],
    output:
        directory("results/downstream/heads/{model}"),
    log:
        "results/logs/downstream/heads/{model}.log",
    threads: threads_of_models
    resources:
        mem_mb=memory(1),
        runtime=minutes(240),
        gpu=GPUS,
    params:
        texts=DOWNSTREAM["texts"],
        settings=settings.downstream_heads(config),
        seed=config["seed"],
    script:
        "../scripts/downstream/train_heads.py"


DOWNSTREAM_ENCODED = expand(rules.encode_downstream.output[0], model=DOWNSTREAM_UNITS)


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
    resources:
        mem_mb=memory(1),
        runtime=minutes(240),
    params:
        chosen=lambda wildcards: DOWNSTREAM_METRICS[wildcards.metric],
        texts=DOWNSTREAM["texts"],
        pairs=DOWNSTREAM["pairs"],
        groupings=settings.downstream_groupings(config),
        n_directions=DOWNSTREAM["heads"]["n_directions"],
        directions_from=DOWNSTREAM["heads"]["directions_from"],
        robustness=DOWNSTREAM["robustness"],
        seed=config["seed"],
    script:
        "../scripts/downstream/score.py"


rule analyse_downstream:
    """Compare scores with downstream bias: gaps of classifiers and shares of pairs, rankings of models, correlations, and robustness to fewer texts."""
    input:
        **DOWNSTREAM_DATA,
        encoded=DOWNSTREAM_ENCODED,
        heads=expand(rules.train_downstream_heads.output[0], model=DOWNSTREAM_UNITS) if DOWNSTREAM["texts"] else [],
        scores=expand(rules.score_downstream.output.scores, metric=DOWNSTREAM["metrics"]),
        pair_scores=expand(rules.score_downstream.output.pair_scores, metric=DOWNSTREAM["metrics"]),
        subsets=expand(rules.score_downstream.output.subsets, metric=DOWNSTREAM["metrics"]),
        sheets=expand(rules.collect_downstream_texts.output.sheet, texts=DOWNSTREAM["texts"]),
        words=DOWNSTREAM["defining"],
        published=in_workflow("resources/published/downstream.csv"),
    output:
        **tables(
            "results/downstream/tables",
            "classifiers classes shares reliability ranking by_class by_pair correlations sets cases robustness titles",
        ),
        models="results/downstream/models.csv",
        differences="results/downstream/differences.csv",
        bias="results/downstream/bias.csv",
    log:
        "results/logs/downstream/analyse.log",
    resources:
        mem_mb=memory(1),
    params:
        texts=DOWNSTREAM["texts"],
        pairs=DOWNSTREAM["pairs"],
        scores=DOWNSTREAM["metrics"],
        pair_scores=DOWNSTREAM["metrics"],
        subsets=DOWNSTREAM["metrics"],
        sheets=DOWNSTREAM["texts"],
        variants=DOWNSTREAM_METRICS,
        sources=settings.downstream_sources(config),
        bases=settings.downstream_bases(config),
        n_resamples=DOWNSTREAM["resamples"],
        seed=config["seed"],
    script:
        "../scripts/downstream/analyse.py"


rule report_downstream:
    """Write the verdicts and draw the figures: do bias scores predict downstream bias?"""
    input:
        results=rules.analyse_downstream.output,
    output:
        **figures("results/downstream/figures", "classes sets ranking robustness"),
        findings="results/downstream/findings.csv",
    log:
        "results/logs/downstream/report.log",
    params:
        results=list(rules.analyse_downstream.output.keys()),
    script:
        "../scripts/downstream/report.py"


rule downstream:
    """Do bias scores of language models predict downstream bias?"""
    input:
        rules.analyse_downstream.output,
        rules.report_downstream.output,

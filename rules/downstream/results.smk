DOWNSTREAM_ENCODED = expand(rules.encode_downstream.output[0], model=DOWNSTREAM_UNITS)
DOWNSTREAM_FILES = {name: metric["metric"] for name, metric in DOWNSTREAM_METRICS.items()}
DOWNSTREAM_RESOURCES = {
    "words": DOWNSTREAM["defining"],
    "published": in_workflow("resources/published/downstream.csv"),
}


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
        groupings=downstream_config.groupings(config),
        n_directions=DOWNSTREAM["heads"]["n_directions"],
        robustness=DOWNSTREAM["robustness"],
        seed=config["seed"],
    script:
        "../../scripts/downstream/score.py"


DOWNSTREAM_SCORED = {
    "scores": expand(rules.score_downstream.output.scores, metric=DOWNSTREAM["metrics"]),
    "pair_scores": expand(rules.score_downstream.output.pair_scores, metric=DOWNSTREAM["metrics"]),
    "subsets": expand(rules.score_downstream.output.subsets, metric=DOWNSTREAM["metrics"]),
}
DOWNSTREAM_RESAMPLING = {
    "metrics": DOWNSTREAM["metrics"],
    "n_resamples": DOWNSTREAM["resamples"],
    "seed": config["seed"],
}


rule rank_downstream:
    """Rank models by scores: how often does the model with more bias have the larger score (Table 3)?"""
    input:
        **rules.gather_downstream.output,
        scores=DOWNSTREAM_SCORED["scores"],
        published=in_workflow("resources/published/downstream.csv"),
    output:
        "results/downstream/tables/ranking.csv",
    log:
        "results/logs/downstream/rank.log",
    conda:
        "../../envs/biassay.yaml"
    params:
        **DOWNSTREAM_RESAMPLING,
        sources=downstream_config.sources(config),
    script:
        "../../scripts/downstream/rank.py"


rule correlate_downstream:
    """Correlate scores with downstream bias: over classes and pairs (Figure 1), and over models (Figure 2)."""
    input:
        **DOWNSTREAM_SCORED,
        **rules.gather_downstream.output,
        words=DOWNSTREAM["defining"],
    output:
        by_class="results/downstream/tables/by_class.csv",
        by_pair="results/downstream/tables/by_pair.csv",
        summary="results/downstream/tables/correlations.csv",
        by_set="results/downstream/tables/sets.csv",
        cases="results/downstream/tables/cases.csv",
    log:
        "results/logs/downstream/correlate.log",
    conda:
        "../../envs/biassay.yaml"
    params:
        **DOWNSTREAM_RESAMPLING,
        files=DOWNSTREAM_FILES,
    script:
        "../../scripts/downstream/correlate.py"


rule measure_downstream_robustness:
    """Measure how much scores of fewer texts (Figure 3), or of titles alone, differ from scores of more texts."""
    input:
        **DOWNSTREAM_SCORED,
        **DOWNSTREAM_RESOURCES,
        sheets=expand(rules.collect_downstream_texts.output.sheet, texts=DOWNSTREAM["texts"]),
    output:
        robustness="results/downstream/tables/robustness.csv",
        titles="results/downstream/tables/titles.csv",
    log:
        "results/logs/downstream/robustness.log",
    conda:
        "../../envs/biassay.yaml"
    params:
        metrics=DOWNSTREAM["metrics"],
        texts=DOWNSTREAM["texts"],
        files=DOWNSTREAM_FILES,
        sources=downstream_config.sources(config),
    script:
        "../../scripts/downstream/measure_robustness.py"

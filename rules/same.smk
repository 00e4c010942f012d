rule select_same_models:
    """Select the models whose unmasking bias follows their training bias; measure bias directions and effect sizes."""
    input:
        plan=rules.plan_same.output.plan,
        training=rules.plan_same.output.training,
        occupations=rules.plan_same.output.occupations,
        templates=SAME["templates"],
        encoded=expand(rules.train_same.output[0], chunk=SAME_JOBS),
    output:
        models="results/same/models.csv",
        bias="results/same/bias.csv",
        angles="results/same/directions.csv",
        effect_size="results/same/tables/effect_size.csv",
    log:
        "results/logs/same/select_models.log",
    resources:
        mem_mb=memory(1),
    params:
        groups=SAME["groups"],
        pooling=SAME["pooling"],
        min_r2=SAME["min_r2"],
    script:
        "../scripts/same/select_models.py"


rule score_same:
    """Score all models with one metric: each occupation, all of them, and random halves."""
    input:
        plan=rules.plan_same.output.plan,
        occupations=rules.plan_same.output.occupations,
        encoded=rules.select_same_models.input.encoded,
    output:
        scores="results/same/scores/{metric}.csv",
        subsets="results/same/subsets/{metric}.csv",
    log:
        "results/logs/same/scores/{metric}.log",
    resources:
        mem_mb=memory(1),
        runtime=minutes(240),
    params:
        metric=lambda wildcards: config["own_metrics"].get(wildcards.metric, wildcards.metric),
        pooling=SAME["pooling"],
        n_subsets=SAME["subsets"],
        seed=config["seed"],
    script:
        "../scripts/same/score.py"


SAME_SCORES = {
    "models": "results/same/models.csv",
    "bias": "results/same/bias.csv",
    "scores": expand("results/same/scores/{metric}.csv", metric=SAME["metrics"]),
}


rule tabulate_same:
    """Compare scores with the planted bias, and with those of retrained models and of half the occupations."""
    input:
        **SAME_SCORES,
        occupations=rules.plan_same.output.occupations,
        subsets=expand("results/same/subsets/{metric}.csv", metric=SAME["metrics"]),
        angles=rules.select_same_models.output.angles,
        published=in_workflow("resources/published/same.csv"),
    output:
        **tables(
            "results/same/tables",
            "correlations summary comparisons differences angles directions sets set_comparisons "
            "retraining_variability subsampling_variability",
        ),
    log:
        "results/logs/same/tabulate.log",
    params:
        metrics=metric_names(SAME["metrics"]),
        resamples=SAME["resamples"],
        seed=config["seed"],
    script:
        "../scripts/same/tabulate.py"


SAME_TABLES = {**rules.tabulate_same.output, "effect_size": rules.select_same_models.output.effect_size}


rule plot_same:
    """Draw agreement with the planted bias, variability, and single models, and write the findings."""
    input:
        **SAME_SCORES,
        results=list(SAME_TABLES.values()),
    output:
        **figures(
            "results/same/figures",
            "words angles example examples retraining_variability subsampling_variability sets effect_size",
        ),
        findings="results/same/findings.csv",
    log:
        "results/logs/same/figures.log",
    params:
        metrics=metric_names(SAME["metrics"]),
        results=list(SAME_TABLES),
    script:
        "../scripts/same/plot.py"


rule same:
    """Does a metric follow the bias that was trained into a language model?"""
    input:
        rules.select_same_models.output,
        rules.tabulate_same.output,
        rules.plot_same.output,

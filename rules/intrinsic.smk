INTRINSIC_METRICS = study_metrics.chosen_metrics(config, "intrinsic")


rule gather_intrinsic:
    """Gather the training attempts and the unmasking probabilities of the models."""
    input:
        plan=rules.plan_intrinsic.output.plan,
        bias=rules.plan_intrinsic.output.bias,
        encoded=expand(rules.train_intrinsic.output[0], chunk=INTRINSIC_JOBS),
    output:
        models="results/intrinsic/models.csv",
        attempts="results/intrinsic/attempts.csv",
        bias="results/intrinsic/bias.csv",
    log:
        "results/logs/intrinsic/gather.log",
    params:
        min_r=INTRINSIC["min_r"],
    script:
        "../scripts/intrinsic/gather.py"


INTRINSIC_ENCODED = {
    "models": rules.gather_intrinsic.output.models,
    "bias": rules.gather_intrinsic.output.bias,
    "plan": rules.plan_intrinsic.output.plan,
    "encoded": rules.gather_intrinsic.input.encoded,
}


rule score_intrinsic:
    """Score all models with one metric: each occupation, and all of them, by attribute."""
    input:
        **INTRINSIC_ENCODED,
    output:
        scores="results/intrinsic/scores/{metric}.csv",
        subsets="results/intrinsic/subsets/{metric}.csv",
    log:
        "results/logs/intrinsic/scores/{metric}.log",
    resources:
        mem_mb=memory(1),
        runtime=minutes(240),
    params:
        chosen=lambda wildcards: INTRINSIC_METRICS[wildcards.metric],
        settings={key: INTRINSIC[key] for key in ["pooling", "label_noise", "subsets"]},
        seed=config["seed"],
    script:
        "../scripts/intrinsic/score.py"


rule tabulate_intrinsic:
    """Compare scores with the bias in the data and in the model, and measure the reliability of both."""
    input:
        **INTRINSIC_ENCODED,
        scores=expand("results/intrinsic/scores/{metric}.csv", metric=INTRINSIC["metrics"]),
        subsets=expand("results/intrinsic/subsets/{metric}.csv", metric=INTRINSIC["metrics"]),
        published=in_workflow("resources/published/intrinsic.csv"),
    output:
        **tables(
            "results/intrinsic/tables",
            "correlations words signs comparisons attribute_comparisons sets set_comparisons reliability "
            "reliability_curve retraining_variability power min_detectable_effect",
        ),
    log:
        "results/logs/intrinsic/tabulate.log",
    params:
        variants=INTRINSIC_METRICS,
        reliability=INTRINSIC["reliability"],
        n_subsets=INTRINSIC["subsets"],
        resamples=INTRINSIC["resamples"],
        seed=config["seed"],
    script:
        "../scripts/intrinsic/tabulate.py"


rule report_intrinsic:
    """Write the verdicts, and draw the correlations of scores with the bias and with each other, and how reliable scores and templates are."""
    input:
        results=list(rules.tabulate_intrinsic.output),
    output:
        **figures(
            "results/intrinsic/figures",
            "words sets_noisy sets_ideal templates retraining_variability detection",
        ),
        findings="results/intrinsic/findings.csv",
    log:
        "results/logs/intrinsic/report.log",
    params:
        results=list(rules.tabulate_intrinsic.output.keys()),
    script:
        "../scripts/intrinsic/report.py"


rule intrinsic:
    """Which intrinsic metrics follow bias of several groups?"""
    input:
        rules.gather_intrinsic.output,
        rules.tabulate_intrinsic.output,
        rules.report_intrinsic.output,

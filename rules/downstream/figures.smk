rule plot_downstream_correlations:
    """Draw scores and downstream bias within each model (Figure 1) and over all models (Figure 2)."""
    input:
        by_class=rules.correlate_downstream.output.by_class,
        by_pair=rules.correlate_downstream.output.by_pair,
        cases=rules.correlate_downstream.output.cases,
    output:
        classes=multiext("results/downstream/figures/classes", ".svg", ".png"),
        sets=multiext("results/downstream/figures/sets", ".svg", ".png"),
    log:
        "results/logs/downstream/figures/correlations.log",
    conda:
        "../../envs/biassay.yaml"
    script:
        "../../scripts/downstream/plot_correlations.py"


rule plot_downstream_ranking:
    """Draw pairwise ranking accuracies, compared with chance (Table 3)."""
    input:
        ranking=rules.rank_downstream.output[0],
    output:
        multiext("results/downstream/figures/ranking", ".svg", ".png"),
    log:
        "results/logs/downstream/figures/ranking.log",
    conda:
        "../../envs/biassay.yaml"
    script:
        "../../scripts/downstream/plot_ranking.py"


rule plot_downstream_robustness:
    """Draw scores of fewer texts, and of titles alone (Figure 3)."""
    input:
        **rules.measure_downstream_robustness.output,
    output:
        multiext("results/downstream/figures/robustness", ".svg", ".png"),
    log:
        "results/logs/downstream/figures/robustness.log",
    conda:
        "../../envs/biassay.yaml"
    script:
        "../../scripts/downstream/plot_robustness.py"


rule answer_downstream:
    """Answer the study's question in sentences and tables: do bias scores predict downstream bias?"""
    input:
        **rules.measure_downstream_robustness.output,
        models=rules.gather_downstream.output.models,
        classifiers=rules.gather_downstream.output.classifiers,
        shares=rules.gather_downstream.output.shares,
        ranking=rules.rank_downstream.output[0],
        correlations=rules.correlate_downstream.output.summary,
        sets=rules.correlate_downstream.output.by_set,
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
        rules.answer_downstream.output,
        rules.gather_downstream.output,
        rules.rank_downstream.output,
        rules.correlate_downstream.output,
        rules.measure_downstream_robustness.output,
        rules.plot_downstream_correlations.output,
        rules.plot_downstream_ranking.output,
        rules.plot_downstream_robustness.output,

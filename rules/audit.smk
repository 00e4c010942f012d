from biassay.auditing.result import FILES as AUDIT_TABLES

AUDIT = config["audit"]


rule measure_audit:
    """Audit one source of vectors, or one language model."""
    input:
        source=audited_model_files,
        words=audit_resources,
    output:
        page="results/audit/{model}/index.html",
        audit="results/audit/{model}/audit.json",
        model_card="results/audit/{model}/model_card.md",
        every_eval_ever="results/audit/{model}/every_eval_ever.json",
        tables=expand("results/audit/{{model}}/{table}", table=AUDIT_TABLES.values()),
    log:
        "results/logs/audit/{model}.log",
    resources:
        mem_mb=memory(3),
        runtime=minutes(120),
    params:
        path=audited_model_path,
        options={key: AUDIT[key] for key in ("tests", "permutations", "resamples", "random_words", "calibrate")},
        metrics=audit_metrics,
        seed=config["seed"],
    script:
        "../scripts/audit/measure.py"


rule join_audits:
    """Join the audits of all sources."""
    input:
        audits=audit_results,
    output:
        page="results/audit/index.html",
        audit="results/audit/audit.json",
        model_card="results/audit/model_card.md",
        tables=expand("results/audit/{table}", table=AUDIT_TABLES.values()),
    log:
        "results/logs/audit/join.log",
    script:
        "../scripts/audit/join.py"


rule audit:
    """Do your own vectors or models associate groups with targets? Compare all metrics that apply."""
    input:
        rules.join_audits.output,

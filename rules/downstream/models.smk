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
    conda:
        "../../envs/language_models.yaml"
    params:
        settings=DOWNSTREAM_PLANTED,
        seed=config["seed"],
    script:
        "../../scripts/downstream/plan.py"


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
    benchmark:
        "results/benchmarks/downstream/train.tsv"
    priority: 1  # the longest job starts first
    conda:
        "../../envs/language_models.yaml"
    threads: threads_of_models
    resources:
        mem_mb=memory(3 * len(DOWNSTREAM_PLANTED["strengths"]) * DOWNSTREAM_PLANTED["repeats"] + 4, of="base"),
        runtime=minutes(240),
        gpu=GPUS,
    params:
        base=base_folder,
        settings=DOWNSTREAM["planted"],
        seed=config["seed"],
        working=checkpoint_path("downstream"),
    script:
        "../../scripts/downstream/train.py"


rule collect_downstream_texts:
    """Collect texts about people, with classes and one group each, and their datasheet."""
    input:
        files=downstream_text_files,
        ground_truth=downstream_ground_truth,
        words=DOWNSTREAM["defining"],
    output:
        texts=directory("results/downstream/texts/{texts}"),
        sheet="results/downstream/datasheets/{texts}.csv",
    log:
        "results/logs/downstream/texts/{texts}.log",
    conda:
        "../../envs/language_models.yaml"
    resources:
        mem_mb=memory(2),
        runtime=minutes(240),
    params:
        source=lambda wildcards: DOWNSTREAM["text_sets"][wildcards.texts]["source"],
        options=downstream_text_options,
        seed=config["seed"],
    script:
        "../../scripts/downstream/collect_texts.py"


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
    conda:
        "../../envs/language_models.yaml"
    params:
        options=lambda wildcards: DOWNSTREAM["pair_sets"][wildcards.pairs],
        settings=downstream_pair_settings,
        seed=config["seed"],
    script:
        "../../scripts/downstream/collect_pairs.py"


DOWNSTREAM_DATA = {
    "texts": expand(rules.collect_downstream_texts.output.texts, texts=DOWNSTREAM["texts"]),
    "pairs": expand(rules.collect_downstream_pairs.output.pairs, pairs=DOWNSTREAM["pairs"]),
}


rule encode_downstream:
    """Embed texts, titles, group words and pairs with a language model, or with all copies with planted bias."""
    input:
        **DOWNSTREAM_DATA,
        base=downstream_base,
        trained=downstream_trained_copies,
        words=DOWNSTREAM["defining"],
    output:
        directory("results/downstream/encoded/{model}"),
    log:
        "results/logs/downstream/encode/{model}.log",
    benchmark:
        "results/benchmarks/downstream/encode/{model}.tsv"
    conda:
        "../../envs/language_models.yaml"
    threads: threads_of_models
    resources:
        mem_mb=memory(3),
        runtime=minutes(240),
        gpu=GPUS,
    params:
        base=base_folder,
        texts=DOWNSTREAM["texts"],
        pairs=DOWNSTREAM["pairs"],
    script:
        "../../scripts/downstream/encode.py"


rule train_downstream_heads:
    """Train classifiers on the vectors of a model's texts: all folds, learning rates and debiased variants."""
    input:
        texts=DOWNSTREAM_DATA["texts"],
        encoded=rules.encode_downstream.output[0],
    output:
        directory("results/downstream/heads/{model}"),
    log:
        "results/logs/downstream/heads/{model}.log",
    benchmark:
        "results/benchmarks/downstream/heads/{model}.tsv"
    conda:
        "../../envs/language_models.yaml"
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
        "../../scripts/downstream/train_heads.py"

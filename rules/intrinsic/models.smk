INTRINSIC = config["intrinsic"]
INTRINSIC_METRICS = study_metrics.chosen_metrics(config, "intrinsic")
INTRINSIC_SELECTION = {
    "n_occupations": INTRINSIC["n_occupations"],
    "n_training": INTRINSIC["n_templates"]["training"],
    "n_test": INTRINSIC["n_templates"]["test"],
}


rule plan_intrinsic:
    """Plan the models: probabilities of the groups of each occupation, and the groups drawn."""
    input:
        templates=INTRINSIC["templates"],
    output:
        plan="results/intrinsic/models/plan.csv",
        groups="results/intrinsic/models/groups.npy",
        bias="results/intrinsic/models/bias.csv",
    log:
        "results/logs/intrinsic/plan.log",
    localrule: True
    conda:
        "../../envs/language_models.yaml"
    params:
        selection=INTRINSIC_SELECTION,
        study={key: INTRINSIC[key] for key in ["min_p", "max_p", "repeats"]},
        detection=INTRINSIC["detection"],
        chunk=INTRINSIC["chunk"],
        seed=config["seed"],
    script:
        "../../scripts/intrinsic/plan.py"


INTRINSIC_DATA = {
    "base": language_model_files(INTRINSIC["language_model"]),
    "templates": INTRINSIC["templates"],
}


rule train_intrinsic:
    """Fine-tune a chunk of the models until they learned their bias; resumes after an interruption."""
    input:
        **INTRINSIC_DATA,
        **rules.plan_intrinsic.output,
    output:
        temp(directory("results/intrinsic/trained/{chunk}")),
    log:
        "results/logs/intrinsic/train/{chunk}.log",
    benchmark:
        "results/benchmarks/intrinsic/train/{chunk}.tsv"
    priority: 1  # start the longest jobs first
    conda:
        "../../envs/language_models.yaml"
    threads: threads_of_models
    resources:
        mem_mb=memory(3 * INTRINSIC["chunk"] + 4, of="base"),
        runtime=minutes(240),
        gpu=GPUS,
    params:
        **{key: INTRINSIC[key] for key in ["training", "min_r", "attempts"]},
        base=base_folder,
        selection=INTRINSIC_SELECTION,
        seed=config["seed"],
        working=checkpoint_path("intrinsic/{chunk}"),
    script:
        "../../scripts/intrinsic/train.py"


rule encode_intrinsic:
    """Compute the group probabilities and embeddings of all test sentences with a chunk of models."""
    input:
        **INTRINSIC_DATA,
        trained=rules.train_intrinsic.output[0],
    output:
        directory("results/intrinsic/encoded/{chunk}"),
    log:
        "results/logs/intrinsic/encode/{chunk}.log",
    benchmark:
        "results/benchmarks/intrinsic/encode/{chunk}.tsv"
    priority: 2  # before training more models, so that few weights are on disk
    conda:
        "../../envs/language_models.yaml"
    threads: threads_of_models
    resources:
        mem_mb=memory(1),
        runtime=minutes(240),
        gpu=GPUS,
    params:
        base=base_folder,
        selection=INTRINSIC_SELECTION,
        intersections=INTRINSIC["intersections"],
        seed=config["seed"],
    script:
        "../../scripts/intrinsic/encode.py"


rule gather_intrinsic:
    """Gather the training attempts and the unmasking probabilities of the models."""
    input:
        plan=rules.plan_intrinsic.output.plan,
        bias=rules.plan_intrinsic.output.bias,
        encoded=expand(rules.encode_intrinsic.output[0], chunk=settings.intrinsic_chunks(config)),
    output:
        models="results/intrinsic/models.csv",
        attempts="results/intrinsic/attempts.csv",
        bias="results/intrinsic/bias.csv",
    log:
        "results/logs/intrinsic/gather.log",
    conda:
        "../../envs/biassay.yaml"
    params:
        min_r=INTRINSIC["min_r"],
    script:
        "../../scripts/intrinsic/gather.py"


INTRINSIC_MODELS = {
    "models": rules.gather_intrinsic.output.models,
    "bias": rules.gather_intrinsic.output.bias,
}
INTRINSIC_ENCODED = INTRINSIC_MODELS | {
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
    conda:
        "../../envs/biassay.yaml"
    resources:
        mem_mb=memory(1),
        runtime=minutes(240),
    params:
        chosen=lambda wildcards: INTRINSIC_METRICS[wildcards.metric],
        settings={key: INTRINSIC[key] for key in ["pooling", "label_noise", "label_sentences", "subsets"]},
        seed=config["seed"],
    script:
        "../../scripts/intrinsic/score.py"

SAME = config["same"]
SAME_CHUNKS = settings.same_chunks(config)


rule plan_same:
    """Plan the models: the planted bias and the training sentences of each."""
    input:
        templates=SAME["templates"],
        occupations=SAME["occupations"],
    output:
        plan="results/same/models/plan.csv",
        occupations="results/same/models/occupations.csv",
        sentences="results/same/models/sentences.parquet",
        training="results/same/models/training.csv",
    log:
        "results/logs/same/plan.log",
    localrule: True
    conda:
        "../../envs/language_models.yaml"
    params:
        groups=SAME["groups"],
        study={key: SAME[key] for key in ["n_occupations", "means", "spreads", "repeats", "held_out", "chunk"]},
        seed=config["seed"],
    script:
        "../../scripts/same/plan.py"


SAME_DATA = {
    "base": language_model_files(SAME["language_model"]),
    "templates": SAME["templates"],
    "plan": rules.plan_same.output.plan,
    "occupations": rules.plan_same.output.occupations,
}


rule train_same:
    """Fine-tune a chunk of the models in parallel, on a GPU if available; resumes after an interruption."""
    input:
        **SAME_DATA,
        sentences=rules.plan_same.output.sentences,
    output:
        temp(directory("results/same/trained/{chunk}")),
    log:
        "results/logs/same/train/{chunk}.log",
    benchmark:
        "results/benchmarks/same/train/{chunk}.tsv"
    priority: 1  # start the longest jobs first
    conda:
        "../../envs/language_models.yaml"
    threads: threads_of_models
    resources:
        mem_mb=memory(3 * SAME["chunk"] + 4, of="base"),
        runtime=minutes(240),
        gpu=GPUS,
    params:
        groups=SAME["groups"],
        base=base_folder,
        training=SAME["training"],
        working=checkpoint_path("same/{chunk}"),
    script:
        "../../scripts/same/train.py"


rule encode_same:
    """Compute the pronoun probabilities and embeddings of all test sentences with a chunk of models."""
    input:
        **SAME_DATA,
        trained=rules.train_same.output[0],
    output:
        directory("results/same/encoded/{chunk}"),
    log:
        "results/logs/same/encode/{chunk}.log",
    benchmark:
        "results/benchmarks/same/encode/{chunk}.tsv"
    priority: 2  # before training more models, so that few weights are on disk
    conda:
        "../../envs/language_models.yaml"
    threads: threads_of_models
    resources:
        mem_mb=memory(1),
        runtime=minutes(240),
        gpu=GPUS,
    params:
        groups=SAME["groups"],
        base=base_folder,
    script:
        "../../scripts/same/encode.py"


rule select_same_models:
    """Select the models whose unmasking bias follows their training bias."""
    input:
        plan=rules.plan_same.output.plan,
        training=rules.plan_same.output.training,
        encoded=expand(rules.encode_same.output[0], chunk=SAME_CHUNKS),
    output:
        models="results/same/models.csv",
        bias="results/same/bias.csv",
    log:
        "results/logs/same/select_models.log",
    conda:
        "../../envs/biassay.yaml"
    params:
        min_r2=SAME["min_r2"],
    script:
        "../../scripts/same/select_models.py"


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
    conda:
        "../../envs/biassay.yaml"
    resources:
        mem_mb=memory(1),
        runtime=minutes(240),
    params:
        metric=metric_name,
        pooling=SAME["pooling"],
        n_subsets=SAME["subsets"],
        seed=config["seed"],
    script:
        "../../scripts/same/score.py"


rule measure_same_vectors:
    """Measure the angles between each model's bias directions, and effect sizes of four occupations (Figure 2)."""
    input:
        models=rules.select_same_models.output.models,
        bias=rules.select_same_models.output.bias,
        plan=rules.plan_same.output.plan,
        occupations=rules.plan_same.output.occupations,
        templates=SAME["templates"],
        encoded=rules.select_same_models.input.encoded,
    output:
        angles="results/same/directions.csv",
        effect_size="results/same/tables/effect_size.csv",
    log:
        "results/logs/same/vectors.log",
    conda:
        "../../envs/biassay.yaml"
    resources:
        mem_mb=memory(1),
    params:
        groups=SAME["groups"],
        pooling=SAME["pooling"],
    script:
        "../../scripts/same/measure_vectors.py"

SAME = config["same"]
SAME_CHUNKS = study_config.same_chunks(config)


rule plan_models:
    """Plan the models: which bias each is given, and the sentences that say so."""
    input:
        templates=SAME["templates"],
        occupations=SAME["occupations"],
        code=code("plan_models"),
    output:
        plan="results/same/models/plan.csv",
        occupations="results/same/models/occupations.csv",
        sentences="results/same/models/sentences.parquet",
        training="results/same/models/training.csv",
    log:
        "results/logs/same/plan_models.log",
    conda:
        "../envs/language_models.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=20,
    params:
        study={key: SAME[key] for key in ["n_occupations", "means", "spreads", "repeats", "held_out", "chunk"]},
        seed=config["seed"],
    script:
        "../scripts/plan_models.py"


SAME_DATA = {
    "base": language_model_files(SAME["language_model"]),
    "templates": SAME["templates"],
    "plan": rules.plan_models.output.plan,
    "occupations": rules.plan_models.output.occupations,
}


rule train_models:
    """Fine-tune a chunk of the models, side by side, on a GPU if there is one; goes on after a break."""
    input:
        **SAME_DATA,
        sentences=rules.plan_models.output.sentences,
        code=code("train_models"),
    output:
        temp(directory("results/same/trained/{chunk}")),
    log:
        "results/logs/same/train_models/{chunk}.log",
    benchmark:
        "results/benchmarks/same/train_models/{chunk}.tsv"
    conda:
        "../envs/language_models.yaml"
    threads: 4
    resources:
        mem_mb=8000,
        runtime=1440,
        gpu=config["gpus"],
    params:
        base=base_folder,
        training=SAME["training"],
        working="results/checkpoints/same/{chunk}",
    script:
        "../scripts/train_models.py"


rule encode_models:
    """Ask a chunk of models for the pronouns of all test sentences, and store the sentences' embeddings."""
    input:
        **SAME_DATA,
        trained=rules.train_models.output[0],
        code=code("encode_models"),
    output:
        directory("results/same/encoded/{chunk}"),
    log:
        "results/logs/same/encode_models/{chunk}.log",
    benchmark:
        "results/benchmarks/same/encode_models/{chunk}.tsv"
    priority: 1  # before more are trained, so that the weights of few chunks lie on the disk
    conda:
        "../envs/language_models.yaml"
    threads: 4
    resources:
        mem_mb=4000,
        runtime=240,
        gpu=config["gpus"],
    params:
        base=base_folder,
    script:
        "../scripts/encode_models.py"


rule gate_models:
    """Keep the models whose unmasking probabilities follow the bias they were trained on."""
    input:
        plan=rules.plan_models.output.plan,
        training=rules.plan_models.output.training,
        encoded=expand(rules.encode_models.output[0], chunk=SAME_CHUNKS),
        code=code("gate_models"),
    output:
        models=same_in_report("models.csv", "Models, and how well they learned"),
        bias="results/same/bias.csv",
    log:
        "results/logs/same/gate_models.log",
    conda:
        "../envs/biassay.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        gate=SAME["gate"],
    script:
        "../scripts/gate_models.py"


rule score_same:
    """Score all models with one metric: each occupation, all together, and random halves of them."""
    input:
        plan=rules.plan_models.output.plan,
        occupations=rules.plan_models.output.occupations,
        encoded=rules.gate_models.input.encoded,
        code=code("score_same", metric_file),
    output:
        scores="results/same/scores/{metric}.csv",
        subsets="results/same/subsets/{metric}.csv",
    log:
        "results/logs/same/scores/{metric}.log",
    conda:
        "../envs/biassay.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=240,
    params:
        metric=metric_name,
        pooling=SAME["pooling"],
        draws=SAME["subsets"],
        seed=config["seed"],
    script:
        "../scripts/score_same.py"


rule compare_directions:
    """Measure the angles between each model's bias directions: of means, by PCA, by kind of pronoun."""
    input:
        plan=rules.plan_models.output.plan,
        occupations=rules.plan_models.output.occupations,
        templates=SAME["templates"],
        encoded=rules.gate_models.input.encoded,
        code=code("compare_directions"),
    output:
        "results/same/directions.csv",
    log:
        "results/logs/same/compare_directions.log",
    conda:
        "../envs/biassay.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        pooling=SAME["pooling"],
    script:
        "../scripts/compare_directions.py"

SAME, INTRINSIC = config["same"], config["intrinsic"]
SAME_JOBS, INTRINSIC_JOBS = (settings.training_jobs(config, study) for study in ("same", "intrinsic"))
SAME_MATERIAL = {key: SAME[key] for key in ("groups", "n_occupations", "held_out")}
INTRINSIC_MATERIAL = {
    "n_occupations": INTRINSIC["n_occupations"],
    "n_training": INTRINSIC["n_templates"]["training"],
    "n_test": INTRINSIC["n_templates"]["test"],
}


rule plan_same:
    """Plan the models: the planted bias, and its share in the training sentences of each."""
    input:
        templates=SAME["templates"],
        occupations=SAME["occupations"],
    output:
        plan="results/same/models/plan.csv",
        occupations="results/same/models/occupations.csv",
        training="results/same/models/training.csv",
    log:
        "results/logs/same/plan.log",
    localrule: True
    params:
        settings=SAME_MATERIAL,
        study=settings.plan_options(config, "same"),
        seed=config["seed"],
    script:
        "../scripts/same/plan.py"


rule plan_intrinsic:
    """Plan the models: probabilities of the groups of each occupation, planted and in the data."""
    input:
        templates=INTRINSIC["templates"],
    output:
        plan="results/intrinsic/models/plan.csv",
        bias="results/intrinsic/models/bias.csv",
    log:
        "results/logs/intrinsic/plan.log",
    localrule: True
    params:
        settings=INTRINSIC_MATERIAL,
        study=settings.plan_options(config, "intrinsic"),
        seed=config["seed"],
    script:
        "../scripts/intrinsic/plan.py"


rule train_same:
    """Fine-tune models with planted bias and encode all test sentences, on a GPU if available; resumes when interrupted."""
    input:
        base=language_model_files(SAME["language_model"]),
        templates=SAME["templates"],
        occupations=[SAME["occupations"]],
    output:
        directory("results/same/encoded/{chunk}"),
    log:
        "results/logs/same/train/{chunk}.log",
    priority: 1  # start the longest jobs first
    threads: threads_of_models
    resources:
        mem_mb=memory(3 * SAME["chunk"] + 4, of="base"),
        runtime=minutes(240),
        gpu=GPUS,
    params:
        base=folder_of("base"),
        settings=SAME_MATERIAL,
        models=lambda wildcards: SAME_JOBS[wildcards.chunk],
        training=SAME["training"],
        min_r=None,
        attempts=1,
        seed=config["seed"],
        working=checkpoint_path("same/{chunk}"),
    script:
        "../scripts/planted/train.py"


use rule train_same as train_intrinsic with:
    input:
        base=language_model_files(INTRINSIC["language_model"]),
        templates=INTRINSIC["templates"],
        occupations=[],
    output:
        directory("results/intrinsic/encoded/{chunk}"),
    log:
        "results/logs/intrinsic/train/{chunk}.log",
    resources:
        mem_mb=memory(3 * INTRINSIC["chunk"] + 4, of="base"),
        runtime=minutes(240),
        gpu=GPUS,
    params:
        base=folder_of("base"),
        settings=INTRINSIC_MATERIAL,
        models=lambda wildcards: INTRINSIC_JOBS[wildcards.chunk],
        training=INTRINSIC["training"],
        min_r=INTRINSIC["min_r"],
        attempts=INTRINSIC["attempts"],
        seed=config["seed"],
        working=checkpoint_path("intrinsic/{chunk}"),

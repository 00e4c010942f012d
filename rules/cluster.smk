# On a cluster: threads follow the largest node, and small jobs are grouped, because each submission costs seconds.
TRAININGS = ["train_same", "train_intrinsic", "train_downstream"]

if workflow.is_main_process and workflow.resource_settings.nodes is not None and shutil.which("sinfo"):
    partition = (workflow.resource_settings.default_resources or {}).get("slurm_partition")
    try:
        largest_node = slurm.count_threads(partition and partition.raw)
    except ValueError as error:
        raise WorkflowError(str(error))
    workflow.global_resources["_cores"] = min(workflow.resource_settings.cores or largest_node, largest_node)
    if RECOVERED and (cancelled := slurm.cancel_jobs(os.getcwd())):
        logger.warning(f"Cancelled {cancelled} SLURM jobs of the killed run.")
elif not workflow.is_main_process and (allocated := os.environ.get("SLURM_CPUS_PER_TASK")):
    workflow.global_resources["_cores"] = int(allocated)  # of the submitted job or group

# Rules of small corpora that are submitted together, and rules of studies that are submitted alone: on a GPU, or if there
# are several trainings to run at once.
IN_CORPUS = ["generate_corpus", "encode_corpus", "count_cooccurrences", "train_embedding"]
LOCAL = ("plan_", "download_", "copy_", "collect_downstream_pairs", "write_libraries")  # starts of names: run locally
ALONE = [*TRAININGS, "encode_downstream", "train_downstream_heads"]
N_TRAININGS = {"same": len(SAME_JOBS), "intrinsic": len(INTRINSIC_JOBS)}


def small_corpus(wildcards):
    """Group of a small generated corpus with its counts and embeddings; None for other corpora."""
    options = config["corpora"][wildcards.corpus]
    small = options["source"] == "generator" and options["tokens"] <= 2_000_000
    return f"corpus_{wildcards.corpus}" if small else None


def group_of(rule):
    """Group in which a rule's jobs are submitted: a small corpus, a study, or the site; None for none."""
    name = job_names.plain_rule(rule.name)
    stage = os.path.relpath(rule.snakefile, in_workflow("rules")).split(os.sep)[0].removesuffix(".smk")
    stage = name.split("_")[-1] if stage == "planted" else stage  # train_same, plan_intrinsic
    if rule.norun or name.startswith(LOCAL):
        return None
    if name in IN_CORPUS:
        return small_corpus
    if name == "write_study_board":
        return lambda wildcards: wildcards.study
    if stage in ("board", "seeds"):
        return "site"
    is_alone = name in ALONE and (config["gpus"] > 0 or N_TRAININGS.get(stage, 1) > 1)
    return stage if stage in (*board_config.STUDIES, "properties", "published") and not is_alone else None


for each in workflow.rules:
    each.group = group_of(each)

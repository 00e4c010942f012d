# On a cluster: threads and memory follow the nodes, small jobs are grouped, and jobs that can never start stop the run.
NODES = []  # kinds of nodes that jobs may be submitted to; empty on one machine

if workflow.is_main_process and workflow.resource_settings.nodes is not None and shutil.which("sinfo"):
    try:
        NODES += slurm.select_nodes(
            slurm.read_nodes(), slurm.read_partition(workflow.resource_settings.default_resources)
        )
    except ValueError as error:
        raise WorkflowError(str(error))
    workflow.global_resources["_cores"] = slurm.limit_threads(workflow.resource_settings.cores, NODES)
    if RECOVERED and (cancelled := slurm.cancel_jobs(os.getcwd())):
        logger.warning(f"Cancelled {cancelled} SLURM jobs of the killed run.")
elif not workflow.is_main_process and (allocated := slurm.allocated_threads()):
    workflow.global_resources["_cores"] = allocated


def small_corpus(wildcards):
    """Group of a small generated corpus with its counts and embeddings; None for other corpora."""
    options = config["corpora"][wildcards.corpus]
    small = options["source"] == "generator" and options["tokens"] <= 2_000_000
    return f"corpus_{wildcards.corpus}" if small else None


def stage_of(rule):
    """Stage of a rule: its file or folder in rules/."""
    return os.path.relpath(rule.snakefile, in_workflow("rules")).split(os.sep)[0].removesuffix(".smk")


# Studies whose trainings and encodings are submitted one by one: those with several trainings, or on a GPU.
SPLIT_STAGES = {"same": len(SAME_CHUNKS) > 1, "intrinsic": len(study_config.intrinsic_chunks(config)) > 1}


def group_of(rule):
    """Group in which a rule's jobs are submitted: a study without its long trainings, or the board and pages."""
    stage = stage_of(rule)
    if stage in ("corpora", "counts", "embeddings"):
        return small_corpus if slurm.IN_CORPUS.search(rule.name) else None
    if stage in (*board_config.STUDIES, "properties", "published"):
        is_alone = slurm.LOCAL.search(rule.name) or (
            slurm.LONG.search(rule.name) and (config["gpus"] > 0 or SPLIT_STAGES.get(stage))
        )
        return None if is_alone else stage
    if rule.name.endswith("write_study_board"):
        return lambda wildcards: wildcards.study
    return "site" if stage in ("board", "seeds") else None


def refuse_unstartable_jobs():
    """Raise WorkflowError for jobs that would wait forever: it names rules, their requests and the limits."""
    if NODES and not workflow.local_exec:
        dag = workflow.dag  # its get_jobs_or_groups() fails once a job of a group is done
        requested = {str(job): job.resources for job in {dag.get_job_group(job) or job for job in dag.needrun_jobs()}}
        reasons = {name: slurm.explain_never(resources, NODES) for name, resources in requested.items()}
        if lines := [f"{name}: requests {reason}" for name, reason in reasons.items() if reason]:
            place = slurm.describe_partitions(NODES)
            raise WorkflowError("\n".join([f"SLURM: these jobs can never start on {place}:", *lines]))


for each in workflow.rules:
    if not each.norun:
        each.group = group_of(each)

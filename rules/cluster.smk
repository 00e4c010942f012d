# On a cluster: threads and memory follow the nodes, small jobs travel together, what can never start is said at once.
NODES = []  # kinds of nodes that jobs may be submitted to; none on one machine

if workflow.is_main_process and workflow.resource_settings.nodes is not None and shutil.which("sinfo"):
    try:
        NODES += slurm.usable(slurm.nodes(), slurm.partition(workflow.resource_settings.default_resources))
    except ValueError as error:
        raise WorkflowError(str(error))
    workflow.global_resources["_cores"] = slurm.fit(workflow.resource_settings.cores, NODES)
    if RECOVERED and (cancelled := slurm.cancel(os.getcwd())):
        logger.warning(f"{cancelled} SLURM jobs of it were cancelled.")
elif not workflow.is_main_process and (given := slurm.given()):
    workflow.global_resources["_cores"] = given


def small_corpus(wildcards):
    """Group of a corpus of the generator with what is counted and trained on it, unless it is large."""
    options = config["corpora"][wildcards.corpus]
    small = options["source"] == "generator" and options["tokens"] <= 2_000_000
    return f"corpus_{wildcards.corpus}" if small else None


def word_of(rule):
    """The stage's word: the file or folder of rules that a rule is from."""
    return os.path.relpath(rule.snakefile, in_workflow("rules")).split(os.sep)[0].removesuffix(".smk")


def takes_long(rule):
    """Whether a rule's jobs take minutes, or a GPU."""
    if not slurm.LONG.search(rule.name):
        return False
    return config["gpus"] > 0 or requests.foreseen(job_names.plain_rule(rule.name), config, HOME)[1] > slurm.QUICK


SLOW = {word_of(each) for each in workflow.rules if takes_long(each)}  # of which trainings and encodings travel alone


def group_of(rule):
    """The group that a rule's jobs are submitted in: all of a study but its long trainings; the board and pages."""
    word = word_of(rule)
    if word in ("corpora", "counts", "embeddings"):
        return small_corpus if slurm.IN_CORPUS.search(rule.name) else None
    if word in (*board_config.STUDIES, "properties", "published"):
        is_alone = slurm.LOCAL.search(rule.name) or (word in SLOW and slurm.LONG.search(rule.name))
        return None if is_alone else word
    if rule.name.endswith("write_study_board"):
        return lambda wildcards: wildcards.study
    return "site" if word in ("board", "seeds") else None


def refuse_what_never_starts():
    """Raise WorkflowError, naming rules, what they ask for and what there is, for jobs that would wait for ever."""
    if NODES and not workflow.local_exec:
        dag = workflow.dag  # its get_jobs_or_groups() fails once a job of a group is done
        asked = {str(job): job.resources for job in {dag.get_job_group(job) or job for job in dag.needrun_jobs()}}
        reasons = {name: slurm.never(resources, NODES) for name, resources in asked.items()}
        if told := [f"{name}: asks for {reason}" for name, reason in reasons.items() if reason]:
            raise WorkflowError("SLURM: these jobs can never start on " + slurm.told(NODES) + ":\n" + "\n".join(told))


for each in workflow.rules:
    if not each.norun:
        each.group = group_of(each)

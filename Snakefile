from snakemake.utils import min_version

min_version("9.10")


# rules/common.smk reads config.yaml and merges --configfile, --config or the config of a `module` statement over it.
include: "rules/common.smk"
include: "rules/inputs.smk"
include: "rules/corpora.smk"
include: "rules/counts.smk"
include: "rules/embeddings.smk"
include: "rules/language_models.smk"
include: "rules/first_order.smk"
include: "rules/silhouette.smk"
include: "rules/planted.smk"
include: "rules/same.smk"
include: "rules/intrinsic.smk"
include: "rules/downstream.smk"
include: "rules/properties.smk"
include: "rules/published.smk"
include: "rules/reliability.smk"
include: "rules/audit.smk"
include: "rules/calibration.smk"
include: "rules/seeds.smk"
include: "rules/board.smk"
include: "rules/cluster.smk"


PLUGIN_FILES = {  # of rules that run a metric or an embedding algorithm, or read a metric's declaration
    "analyse_downstream": variant_files("downstream"),
    "collect_board": board_metric_files,
    "measure_audit": audit_metric_files,
    "measure_calibration": audit_metric_files,
    "measure_reliability": variant_files("reliability"),
    "retrain_embedding": algorithm,
    "score_downstream": variant_file("downstream"),
    "score_first_order": variant_files("first_order"),
    "score_intrinsic": variant_file("intrinsic"),
    "score_same": variant_file("same"),
    "score_silhouettes": variant_files("silhouette"),
    "tabulate_intrinsic": variant_files("intrinsic"),
    "tabulate_same": variant_files("same"),
    "train_embedding": algorithm,
}
for each in workflow.rules:
    if each.script:
        each.conda_env = "../envs/biassay.yaml"  # relative to rules/
        plugins = PLUGIN_FILES.get(job_names.plain_rule(each.name), lambda wildcards: [])
        # ASSUME: as in Snakemake 9.27, a change is one of the set of a rule's inputs, or of the set of its parameters, whatever
        # their names are. So files with roles or an order are parameters, too, and the names of parameters are one.
        fixed = {name: value for name, value in each.params.items() if name != "names" and not callable(value)}
        each.set_params(
            names=str(fixed), code=digest_code(in_workflow("scripts", each.script.partition("scripts/")[2]), plugins)
        )


if config["container"]:

    container: config["container"]


onstart:
    # ASSUME: as in Snakemake 9.27, a limit of jobs per second wakes the scheduler once per second for each ended job
    # (snakemake/snakemake#3744), a third of a core after 130 jobs. Jobs on this machine need no limit.
    if workflow.local_exec:
        workflow.scheduler.job_rate_limiter = None
        trainings = [job for job in workflow.dag.needrun_jobs() if job_names.plain_rule(job.rule.name) in TRAININGS]
        machine.plan_trainings([job.resources["mem_mb"] for job in trainings])


rule all:
    """Run the configured studies, and write the board and a page for each."""
    default_target: True
    input:
        [getattr(rules, study).input for study in config["studies"]],
        rules.seeds.input if config["seeds"] else [],
        rules.board.input,

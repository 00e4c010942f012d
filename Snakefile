from snakemake.utils import min_version

min_version("9.10")


configfile: "config.yaml"


report: "report/workflow.rst"


include: "rules/common.smk"
include: "rules/inputs.smk"
include: "rules/corpora.smk"
include: "rules/counts.smk"
include: "rules/embeddings.smk"
include: "rules/models.smk"
include: "rules/first_order.smk"
include: "rules/diagnosis.smk"
include: "rules/silhouette.smk"
include: "rules/silhouette_report.smk"
include: "rules/properties.smk"
include: "rules/same.smk"
include: "rules/same_figures.smk"


rule all:
    """Run the studies that the configuration names."""
    default_target: True
    input:
        [getattr(rules, study).input for study in config["studies"]],

rule download_language_model:
    """Download a language model from the hub, at its pinned revision."""
    output:
        directory("results/language_models/{model}"),
    log:
        "results/logs/language_models/{model}/download.log",
    wildcard_constraints:
        model=models_with("hub"),
    localrule: True
    params:
        hub=lambda wildcards: config["language_models"][wildcards.model]["hub"],
        revision=lambda wildcards: config["language_models"][wildcards.model]["revision"],
    script:
        "../scripts/language_models/download.py"


rule pretrain_language_model:
    """Pretrain a masked language model on the text of a corpus, on a GPU if there is one; an interrupted run resumes."""
    input:
        text=lambda wildcards: text_files(pretraining_corpus(wildcards)),
        vocabulary=pretraining_vocabulary,
    output:
        directory("results/language_models/{model}"),
    log:
        "results/logs/language_models/{model}/pretrain.log",
    wildcard_constraints:
        model=models_with("pretrain"),
    threads: 2
    resources:
        mem_mb=memory(1),
        runtime=minutes(720),
        gpu=GPUS,
    params:
        settings=lambda wildcards: settings.pretraining(config["language_models"][wildcards.model]),
        markup=lambda wildcards: has_markup(pretraining_corpus(wildcards)),
        seed=lambda wildcards: settings.pretraining_seed(config, wildcards.model),
        checkpoint=checkpoint_path("language_models/{model}.pt"),
    script:
        "../scripts/language_models/pretrain.py"


rule copy_checkpoint:
    """Copy the model that a pretraining stored after one of its steps."""
    input:
        pretrained=lambda wildcards: f"results/language_models/{checkpoint_of(wildcards)['model']}",
    output:
        directory("results/language_models/{model}"),
    log:
        "results/logs/language_models/{model}/copy_checkpoint.log",
    wildcard_constraints:
        model=models_with("checkpoint"),
    localrule: True
    params:
        step=lambda wildcards: checkpoint_of(wildcards)["step"],
    script:
        "../scripts/language_models/copy_checkpoint.py"

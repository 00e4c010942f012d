rule download_model:
    """Download a language model from the hub, at its pinned revision."""
    input:
        code=code("download_model"),
    output:
        directory("results/language_models/{model}"),
    log:
        "results/logs/language_models/{model}/download_model.log",
    wildcard_constraints:
        model=models_with("hub"),
    localrule: True
    conda:
        "../envs/language_models.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=240,
    params:
        hub=lambda wildcards: config["language_models"][wildcards.model]["hub"],
        revision=lambda wildcards: config["language_models"][wildcards.model]["revision"],
    script:
        "../scripts/download_model.py"


rule pretrain_model:
    """Pretrain a masked language model on a corpus's text, on a GPU if there is one; goes on after a break."""
    input:
        text=pretraining_text,
        vocabulary=pretraining_vocabulary,
        code=code("pretrain_model"),
    output:
        directory("results/language_models/{model}"),
    log:
        "results/logs/language_models/{model}/pretrain_model.log",
    benchmark:
        "results/benchmarks/language_models/{model}.tsv"
    wildcard_constraints:
        model=models_with("pretrain"),
    conda:
        "../envs/language_models.yaml"
    threads: 2
    resources:
        mem_mb=8000,
        runtime=1440,
        gpu=config["gpus"],
    params:
        settings=lambda wildcards: settings.pretraining(config["language_models"][wildcards.model]),
        markup=pretraining_markup,
        seed=config["seed"],
        checkpoint="results/checkpoints/{model}.pt",
    script:
        "../scripts/pretrain_model.py"

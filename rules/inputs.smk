"""Input functions: the files that a rule reads."""


def corpus_names(*sources):
    """Regular expression that matches the corpora of some sources, or nothing."""
    names = [name for name, options in config["corpora"].items() if options["source"] in sources]
    return "|".join(names) or "(?!)"


def text_files(corpus):
    """Text files of a corpus."""
    outputs = {"generator": "text.txt", "wikipedia": "articles.txt"}
    source = config["corpora"][corpus]["source"]
    if source in outputs:
        return [f"results/corpora/{corpus}/{outputs[source]}"]
    return settings.corpus_files(config, corpus)


def has_markup(corpus):
    """Whether the text of a corpus has tags."""
    return config["corpora"][corpus]["source"] == "wikiextractor"


def original_corpus_files(wildcards):
    """Files of the encoded corpus that a counterfactual or shuffled corpus is made from."""
    original = config["corpora"][wildcards.corpus]["corpus"]
    return [f"results/corpora/{original}/{name}" for name in ["tokens.npy", "words.txt", "counts.npy", "summary.json"]]


def dump_files(wildcards):
    """Dumps of a corpus, or the receipts of downloaded dumps."""
    corpus = config["corpora"][wildcards.corpus]
    if "url" in corpus:
        return [f"downloads/{settings.file_name(corpus['url'])}.checked"]
    return settings.corpus_files(config, wildcards.corpus)


def training_data(wildcards):
    """Training data of an embedding: the tokens or the counts of a corpus."""
    if registry.load("embeddings", algorithm(wildcards)).INPUT == "counts":
        counts = config["embeddings"][wildcards.embedding]["counts"]
        return f"results/counts/{wildcards.corpus}/{counts}"
    return f"results/corpora/{wildcards.corpus}/tokens.npy"


def language_model_files(name):
    """Files of a language model given by path, compared by content, or the folder that a rule makes."""
    if "path" not in config["language_models"][name]:
        return [f"results/language_models/{name}"]
    return files_below(config["language_models"][name]["path"])


def files_below(path):
    """Files of a folder and its subfolders, compared by content, without notes in Markdown; or a file itself."""
    if not os.path.isdir(path):
        return [path]
    paths = [os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names]
    return sorted(one for one in paths if not one.endswith(".md"))


def pretraining_corpus(wildcards):
    """Name of the pretraining corpus of a language model."""
    return config["language_models"][wildcards.model]["pretrain"]["corpus"]


def pretraining_vocabulary(wildcards):
    """Vocabulary file of a language model, if there is one."""
    vocabulary = settings.pretraining(config["language_models"][wildcards.model])["vocabulary"]
    return [vocabulary] if isinstance(vocabulary, str) else []


def checkpoint_of(wildcards):
    """The pretrained model and the step that a language model is a checkpoint of."""
    return config["language_models"][wildcards.model]["checkpoint"]


def folder_of(name):
    """Params function: the folder of the files of an input, or the input itself if it is one file or folder."""
    return lambda wildcards, input: os.path.commonpath([input[name]] if isinstance(input[name], str) else input[name])


def downstream_text_files(wildcards):
    """Files from which the downstream study reads or makes texts."""
    options = config["downstream"]["text_sets"][wildcards.texts]
    if options["source"] == "wikipedia":
        return text_files(options["corpus"])
    paths = options["templates"] if options["source"] == "generated" else options["path"]
    return [paths] if isinstance(paths, str) else paths


def downstream_text_options(wildcards):
    """Options of a text set except its source; for biographies in a corpus, whether the corpus has tags."""
    options = config["downstream"]["text_sets"][wildcards.texts]
    chosen = {key: value for key, value in options.items() if key not in ("source", "path", "templates", "corpus")}
    if options["source"] == "wikipedia":
        chosen["markup"] = has_markup(options["corpus"])
    return chosen


def downstream_classes(wildcards):
    """Words by which biographies are found and classified; empty for other texts."""
    source = config["downstream"]["text_sets"][wildcards.texts]["source"]
    return in_workflow("resources/words/biography_classes.yaml") if source == "wikipedia" else []


def downstream_ground_truth(wildcards):
    """Table of planted bias from which texts are generated; empty for other texts."""
    generated = config["downstream"]["text_sets"][wildcards.texts]["source"] == "generated"
    return ["results/downstream/planted.csv"] if generated else []


def downstream_pair_files(wildcards):
    """The file from which the downstream study reads or makes sentence pairs, or the receipt of its download."""
    options = config["downstream"]["pair_sets"][wildcards.pairs]
    if "url" in options:
        return [f"downloads/{settings.file_name(options['url'])}.checked"]
    return [options.get("path", config["downstream"]["planted"]["templates"])]


def downstream_pair_settings(wildcards):
    """Settings of planted bias from which pairs are generated; empty for other pairs."""
    generated = config["downstream"]["pair_sets"][wildcards.pairs]["source"] == "generated"
    return DOWNSTREAM_PLANTED if generated else {}


def downstream_base(wildcards):
    """Files of a language model of the downstream study, or of the base model of all planted models."""
    planted = wildcards.model == settings.PLANTED
    return language_model_files(config["downstream"]["planted"]["language_model"] if planted else wildcards.model)


def reference_model(kind):
    """Input function: the "biased" or "unbiased" model of a pair, an embedding trained here or a user's file."""

    def path(wildcards):
        model = config["reference_pairs"][wildcards.pair][kind]
        return model.get("file") or f"results/embeddings/{model['corpus']}/{model['embedding']}"

    return path


def published_vectors(wildcards):
    """Vector files from which published numbers are recomputed."""
    vectors = config["published"]["vectors"]
    if not vectors:
        raise WorkflowError(
            "config: published.vectors: expected vectors with published numbers, such as "
            "{google_news: {file: GoogleNews-vectors-negative300.bin.gz}}, got {}"
        )
    return [model["file"] for model in vectors.values()]


def silhouette_word_lists(wildcards):
    """Word lists of a pair by kind of bias, and the files of their targets."""
    paths = config["reference_pairs"][wildcards.pair]["lists"].values()
    return [*paths, *dict.fromkeys(target_lists.find_targets_file(path) for path in paths)]


def pair_ground_truth(wildcards):
    """Ground truth of the biased corpus of a pair, for word lists whose two groups are chosen by it."""
    pair = config["reference_pairs"][wildcards.pair]
    chosen = any(target_lists.read(path).choose for path in pair["lists"].values())
    return ground_truths([pair["biased"]["corpus"]]) if chosen else []


def ground_truths(corpora):
    """Ground-truth tables of the generated corpora."""
    generated = [name for name in corpora if config["corpora"][name]["source"] == "generator"]
    return [f"results/corpora/{name}/ground_truth.csv" for name in generated]


def planted_statistics():
    """Statistics that each generated corpus plants, by its name: those of the generator's files, none without bias."""
    study = config["first_order"]
    files = [os.path.abspath(path) for path in rules.generate_corpus.input.occupation_statistics]
    names = [name for name, path in study["occupation_statistics"].items() if os.path.abspath(path) in files]
    corpora = {name: config["corpora"][name] for name in study["corpora"]}
    generated = {name: options for name, options in corpora.items() if options["source"] == "generator"}
    return {name: [] if options["control"] else ["planted", *names] for name, options in generated.items()}


def trainings(corpus, embedding):
    """Folders of an embedding: that of all studies, and of its trainings with other seeds unless the corpus is shuffled."""
    study = config["reliability"]
    is_retrained = embedding in study["retrained"] and config["corpora"][corpus]["source"] != "shuffled"
    others = range(1, study["trainings"] if is_retrained else 1)
    retrained = [f"results/reliability/embeddings/{corpus}/{embedding}/{number}" for number in others]
    return [f"results/embeddings/{corpus}/{embedding}", *retrained]


def seed_tables(table):
    """A table of each of `seeds`, in the run's own results or those of the seed."""
    if not config["seeds"]:
        raise WorkflowError("config: seeds: expected a list of seeds, such as [1, 2, 3, 4, 5], got []")
    folders = ["results" if seed == config["seed"] else f"results/seeds/{seed}" for seed in config["seeds"]]
    return [f"{folder}/{table}.csv" for folder in folders]


def audited_model_path(wildcards, input):
    """Params function: the path of the audited vectors or model."""
    return settings.measured_models(config)[wildcards.model].get("file") or folder_of("source")(wildcards, input)


def audited_model_files(wildcards):
    """Files of the audited vectors or model."""
    model = settings.measured_models(config)[wildcards.model]
    if "language_model" in model:
        return language_model_files(model["language_model"])
    return (
        files_below(model["file"]) if "file" in model else f"results/embeddings/{model['corpus']}/{model['embedding']}"
    )


def audit_results(wildcards):
    """Results of the audits of all models."""
    if not config["audit"]["models"]:
        raise WorkflowError(
            "config: audit.models is empty; name the models to audit, such as {mine: {file: vectors.txt}}"
        )
    return [f"results/audit/{name}/audit.json" for name in config["audit"]["models"]]


def audit_resources(wildcards):
    """Tests, word lists, templates and the board, as audits read them."""
    from biassay.auditing import questions

    own = [name for name in config["audit"]["tests"] if name.endswith((".yaml", ".yml"))]
    own += [name for test in own for name in questions.find_own_lists(test)]
    shipped = [in_workflow("resources", part) for part in ("audit", "words", "templates", "board")]
    paths = [os.path.join(folder, file) for top in shipped for folder, _, files in os.walk(top) for file in files]
    return list(dict.fromkeys(own)) + sorted(paths)


def audit_metrics(wildcards):
    """Names of the metrics of audits, each with its name or the path of a user's own file."""
    chosen = config["audit"]["metrics"]
    names = [*registry.names("metrics"), *config["own_metrics"]] if chosen == "all" else chosen
    return metric_names(names)


def audit_metric_files(wildcards):
    """Files of the metrics of audits, and of the one that ranks words."""
    return metric_files([*audit_metrics(wildcards).values(), "same"])


def calibrated_tests():
    """Names of the audits' tests that can be calibrated, or gender; each job finds its own by name."""
    from biassay.auditing import questions

    found = questions.find(config["audit"]["tests"] or ["gender"])
    names = [one.name for one in found if (len(one.groups), len(one.targets)) == (2, 2)]
    if not names:
        raise WorkflowError("config: audit.tests: expected a test of two groups and two lists of targets to calibrate")
    return names


def calibrations(file):
    """Input function: a file of the calibration of each model with each test."""
    return lambda wildcards: expand(
        f"results/calibration/{{model}}/{{test}}/{file}",
        model=settings.measured_models(config),
        test=calibrated_tests(),
    )


def study_results(wildcards):
    """Results of a study: the inputs of its rule, with those that an input function lists."""
    entries = getattr(rules, wildcards.study).input
    return [file for entry in entries for file in (entry(wildcards) if callable(entry) else [entry])]


def board_metric_files(wildcards):
    """Files of the metrics of the board."""
    return metric_files(options["metric"] for options in board_config.metrics(config).values())

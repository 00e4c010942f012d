"""Input functions: which files of the data a rule reads."""


def corpora_made(swapped):
    """Regular expression of the names of counterfactual corpora, or of those that are encoded from text."""
    made = {name: options["source"] == settings.COUNTERFACTUAL for name, options in config["corpora"].items()}
    return "|".join([name for name in made if made[name] == swapped]) or "(?!)"


def text_files(corpus):
    """Text files of a corpus."""
    made = {"generator": "text.txt", "wikipedia": "articles.txt"}
    source = config["corpora"][corpus]["source"]
    if source in made:
        return [f"results/corpora/{corpus}/{made[source]}"]
    return settings.corpus_files(config, corpus)


def corpus_text(wildcards):
    """Text files of the corpus that a wildcard names."""
    return text_files(wildcards.corpus)


def swapped_corpus(wildcards):
    """Files of the encoded corpus that a counterfactual one is made of."""
    of = config["corpora"][wildcards.corpus]["corpus"]
    return [f"results/corpora/{of}/{name}" for name in ["tokens.npy", "words.txt", "counts.npy", "summary.json"]]


def dumps(wildcards):
    """Dumps of a corpus, or the receipts of those that are downloaded."""
    corpus = config["corpora"][wildcards.corpus]
    if "url" in corpus:
        return [f"downloads/{settings.file_name(corpus['url'])}.checked"]
    return settings.corpus_files(config, wildcards.corpus)


def names_of_counts(sharded):
    """Regular expression of the names of counts that are cut into shards, or of those that are not."""
    names = [name for name, options in config["counts"].items() if (options["shards"] > 1) == sharded]
    return "|".join(names) or "(?!)"


def shards(wildcards):
    """Counts of all shards of a corpus."""
    number = config["counts"][wildcards.counts]["shards"]
    return [f"results/counts/{wildcards.corpus}/{wildcards.counts}.shards/{shard}" for shard in range(number)]


def training_data(wildcards):
    """What an embedding is trained from: a corpus's tokens or its counts."""
    if registry.read_constant(algorithm(wildcards), "INPUT") == "counts":
        counts = config["embeddings"][wildcards.embedding]["counts"]
        return f"results/counts/{wildcards.corpus}/{counts}"
    return f"results/corpora/{wildcards.corpus}/tokens.npy"


def training_threads(wildcards):
    """Threads of an embedding's training."""
    return settings.train_options(config["embeddings"][wildcards.embedding])["threads"]


def language_model_files(name):
    """Files of a language model that is a folder given, compared by content, or the folder that a rule makes."""
    if "path" not in config["language_models"][name]:
        return [f"results/language_models/{name}"]
    folder = config["language_models"][name]["path"]
    return sorted(os.path.join(folder, file) for file in os.listdir(folder) if not file.endswith(".md"))


def pretraining_corpus(wildcards):
    """Name of the corpus that a language model is pretrained on."""
    return config["language_models"][wildcards.model]["pretrain"]["corpus"]


def pretraining_text(wildcards):
    """Text files that a language model is pretrained on."""
    return text_files(pretraining_corpus(wildcards))


def pretraining_vocabulary(wildcards):
    """The vocabulary of a language model, if it is a file."""
    vocabulary = settings.pretraining(config["language_models"][wildcards.model])["vocabulary"]
    return [vocabulary] if isinstance(vocabulary, str) else []


def pretraining_markup(wildcards):
    """Whether there are tags in the text that a language model is pretrained on."""
    return config["corpora"][pretraining_corpus(wildcards)]["source"] == "wikiextractor"


def checkpoint_of(wildcards):
    """The pretraining and its step that a language model is taken from."""
    return config["language_models"][wildcards.model]["checkpoint"]


def base_folder(wildcards, input):
    """Folder of the language model whose files are the input `base`."""
    return os.path.commonpath([input.base] if isinstance(input.base, str) else input.base)


def downstream_text_files(wildcards):
    """Files that texts of the downstream study are read or made from."""
    options = config["downstream"]["text_sets"][wildcards.texts]
    if options["source"] == "wikipedia":
        return text_files(options["corpus"])
    paths = options["templates"] if options["source"] == "generated" else options["path"]
    return [paths] if isinstance(paths, str) else paths


def downstream_text_options(wildcards):
    """Options of a set of texts, but where it comes from; of biographies in a corpus whether it has tags."""
    options = config["downstream"]["text_sets"][wildcards.texts]
    found = {key: value for key, value in options.items() if key not in ("source", "path", "templates", "corpus")}
    if options["source"] == "wikipedia":
        found["markup"] = config["corpora"][options["corpus"]]["source"] == "wikiextractor"
    return found


def downstream_ground_truth(wildcards):
    """What is planted, by which texts are generated; others do not depend on it."""
    generated = config["downstream"]["text_sets"][wildcards.texts]["source"] == "generated"
    return ["results/downstream/planted.csv"] if generated else []


def downstream_pair_files(wildcards):
    """The file that pairs of the downstream study are read or made from, or the receipt of its download."""
    options = config["downstream"]["pair_sets"][wildcards.pairs]
    if "url" in options:
        return [f"downloads/{settings.file_name(options['url'])}.checked"]
    return [options.get("path", config["downstream"]["planted"]["templates"])]


def downstream_pair_settings(wildcards):
    """What is planted, by which pairs are generated; others do not depend on it."""
    generated = config["downstream"]["pair_sets"][wildcards.pairs]["source"] == "generated"
    return DOWNSTREAM_PLANTED if generated else {}


def downstream_base(wildcards):
    """Files of the language model of a unit of the downstream study: a model, or the base of all planted ones."""
    planted = wildcards.model == downstream_config.PLANTED
    return language_model_files(config["downstream"]["planted"]["language_model"] if planted else wildcards.model)


def downstream_trained(wildcards):
    """The copies that bias is planted in, of their unit."""
    return ["results/downstream/trained"] if wildcards.model == downstream_config.PLANTED else []


def diagnosed_embedding(wildcards):
    """The embedding that the first-order study diagnoses."""
    return f"results/embeddings/{wildcards.corpus}/{config['first_order']['diagnosed_embedding']}"


def reference_model(which):
    """Input function: the biased or unbiased model of a pair, an embedding trained here or a user's file."""

    def path(wildcards):
        model = config["reference_pairs"][wildcards.pair][which]
        return model.get("file") or f"results/embeddings/{model['corpus']}/{model['embedding']}"

    return path


def published_vectors(wildcards):
    """Files of the vectors that published numbers are computed from."""
    try:
        return study_config.published_vectors(config)
    except ValueError as error:
        raise WorkflowError(str(error))


def silhouette_word_lists(wildcards):
    """Word lists of a pair by kind of bias, and the files of targets beside them."""
    paths = config["reference_pairs"][wildcards.pair]["lists"].values()
    return [*paths, *dict.fromkeys(target_lists.find_targets_file(path) for path in paths)]


def pair_ground_truth(wildcards):
    """What a generator planted in the biased corpus of a pair, for word lists of which two groups are chosen by it."""
    pair = config["reference_pairs"][wildcards.pair]
    chosen = any(target_lists.read(path).choose for path in pair["lists"].values())
    return ground_truths([pair["biased"]["corpus"]]) if chosen else []


def ground_truths(corpora):
    """Truth tables of those corpora that have one, which are the generated ones."""
    generated = [name for name in corpora if config["corpora"][name]["source"] == "generator"]
    return [f"results/corpora/{name}/ground_truth.csv" for name in generated]


def generated(corpora):
    """Whether there is bias in those corpora that are generated, by name."""
    options = {name: config["corpora"][name] for name in corpora}
    return {name: not of["control"] for name, of in options.items() if of["source"] == "generator"}


def seed_tables(wildcards):
    """A table of all seeds: the run's own, and those of the others."""
    try:
        seeds.check(config)
    except ValueError as error:
        raise WorkflowError(str(error))
    folders = ["results" if seed == config["seed"] else f"results/seeds/{seed}" for seed in config["seeds"]]
    return [f"{folder}/{wildcards.table}.csv" for folder in folders]


AUDIT_TEMPLATES = [
    in_workflow("biassay", room, "templates", name)
    for room, name in (("auditing", "audit.html"), ("pages", "base.html"), ("pages", "style.css"))
]
AUDIT_TABLES = ["metrics", "words", "lists", "silhouettes", "trust", "cautions", "summary", "left_out"]


def audited(wildcards):
    """Path of the vectors or the model that is audited."""
    model = config["audit"]["models"][wildcards.model]
    if "language_model" in model:
        files = language_model_files(model["language_model"])
        return files[0] if len(files) == 1 else os.path.commonpath(files)
    return model.get("file") or f"results/embeddings/{model['corpus']}/{model['embedding']}"


def audited_files(wildcards):
    """Files of the vectors or the model that is audited."""
    model = config["audit"]["models"][wildcards.model]
    return language_model_files(model["language_model"]) if "language_model" in model else audited(wildcards)


def audits(wildcards):
    """The audits of all models."""
    if not config["audit"]["models"]:
        raise WorkflowError(
            "config: audit.models: is empty; name what is to be audited, such as {mine: {file: vectors.txt}}"
        )
    return [f"results/audit/{name}/audit.json" for name in config["audit"]["models"]]


def audit_words(wildcards):
    """Files of tests and word lists that audits read, and the board."""
    own = [name for name in config["audit"]["tests"] if name.endswith((".yaml", ".yml"))]
    shipped = [in_workflow("resources", part) for part in ("audit", "words", "templates", "board")]
    found = [os.path.join(folder, file) for top in shipped for folder, _, files in os.walk(top) for file in files]
    return own + sorted(found)


def audit_metrics(wildcards):
    """By name the metrics that audits ask, and the paths of a user's own: those named, or all."""
    chosen = config["audit"]["metrics"]
    names = [*registry.names("metrics"), *config["own_metrics"]] if chosen == "all" else chosen
    return {name: config["own_metrics"].get(name, name) for name in names}


def audit_metric_files(wildcards):
    """Files of the metrics that audits ask."""
    return [registry.find("metrics", name) for name in audit_metrics(wildcards).values()]


def board_metric_files(wildcards):
    """Files of the metrics of the board."""
    return [registry.find("metrics", of["metric"]) for of in board_config.metrics(config).values()]

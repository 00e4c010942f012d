"""Checks of the small files that a configuration names, so that problems are reported before any job."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from biassay.auditing import questions
from biassay.core import registry
from biassay.corpora import plain_text
from biassay.corpora.generator import PLANTED
from biassay.language_models import model_files, templates
from biassay.language_models.planted import material as planted_material
from biassay.language_models.planted.templates import Templates
from biassay.studies.downstream import planted
from biassay.words import defining_sets, files, published_numbers, resources, target_lists
from biassay.workflow import config as settings
from biassay.workflow import study_metrics
from biassay.workflow.problems import gather

UNKNOWN = ("[UNK]", "<unk>")  # token for unknown words in BERT and other models


def check(config: dict) -> None:
    """Read all small files of the configuration; raise ValueError with all problems."""
    first_order, models, key = config["first_order"], config["language_models"].values(), "config: first_order"
    swaps = {path: None for corpus in config["corpora"].values() for path in corpus.get("swap", [])}
    vocabularies = {model["pretrain"].get("vocabulary") for model in models if "pretrain" in model}
    gather(
        partial(*call)
        for call in [
            (_check_word_lists, first_order["word_lists"]),
            (_check_pairs, first_order["word_lists"][first_order["main_list"]]),
            *((_check_statistics, path) for path in first_order["occupation_statistics"].values()),
            (_check_occupation_words, first_order["occupations"]),
            (_check_words, f"{key}.diagnosis.occupations", first_order["diagnosis"]["occupations"]),
            (_check_words, f"{key}.neighbour_words", first_order["neighbour_words"]),
            *((target_lists.read_swap, path) for path in swaps),
            *((_check_pair, name, config) for name in config["silhouette"]["pairs"]),
            (_check_templates, config["same"], config),
            *((_check_models, study, config) for study in ("same", "intrinsic")),
            (_check_occupations, config["same"], config),
            (_check_material, config["intrinsic"], config),
            (_check_pairs, config["reliability"]["pairs"]),
            (templates.occupations, config["reliability"]["occupations"]),
            (_check_published, config["published"]),
            (_check_audit_tests, config["audit"]["tests"]),
            (_check_downstream, config),
            *((model_files.check_files, Path(model["path"])) for model in models if "path" in model),
            *((model_files.read_vocabulary, Path(path)) for path in vocabularies if isinstance(path, str)),
        ]
    )


@contextmanager
def _named(section: str, *starts: str) -> Iterator[None]:
    """Let messages that begin with a key, one of `starts`, begin with its section of the configuration."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"config: {section}.{error}" if str(error).startswith(starts) else str(error)) from error


def _check_word_lists(paths: dict[str, str]) -> None:
    """Raise ValueError unless all lists have the same two groups in the same order: scores are first minus second.

    Statistics of occupations are percentages of women, so a group called female comes first.
    """
    groups: dict[str, list[str]] = {}

    def read(name: str, path: str) -> None:
        lists = resources.read_two_groups(path)
        one, other = groups[name] = list(lists)
        for group, words in lists.items():
            _check_words(f"{path}: {group}", words)
        if (one, other) == ("male", "female"):
            raise ValueError(f"{path}: expected female before male, since the statistics are percentages of women")
        if shared := set(lists[one]) & set(lists[other]):
            raise ValueError(f"{path}: {min(shared)!r} is a word of both {one} and {other}; remove it from one")
        first = next(iter(groups))
        if groups[name] != groups[first]:
            raise ValueError(
                f"{path}: has the groups {', '.join(groups[name])}, but {paths[first]} has {', '.join(groups[first])}; "
                "all word lists need the same groups in the same order"
            )

    gather([partial(read, name, path) for name, path in paths.items()])


def _check_pairs(path: str) -> None:
    files.check_lists(path, resources.read_two_groups(path), paired=True)


def _check_statistics(path: str) -> None:
    _check_words(path, resources.read_percentages(path).index.tolist())


def _check_occupation_words(path: str) -> None:
    _check_words(path, resources.read_occupations(path)["word"].tolist())


def _check_words(where: str, words: list[str]) -> None:
    """Raise ValueError, which begins with `where`, if no word can occur in a corpus, as words in upper case."""
    if not words or any(
        (word.isalpha() and word == word.lower()) or plain_text.split_words(word) == [word] for word in words
    ):
        return
    has_capitals = any(plain_text.split_words(word) == [word.lower()] for word in words)
    raise ValueError(
        f"{where}: none of the {len(words)} words, such as {words[0]!r}, can occur in a corpus; expected "
        + ("lower-case words" if has_capitals else "single words of letters")
    )


def _check_pair(name: str, config: dict) -> None:
    """Raise ValueError unless a reference pair's lists can be read and have enough words for one step."""
    steps = config["silhouette"]["steps"]

    def read(path: str) -> None:
        lists = target_lists.read(path)
        if lists.choose:
            _check_choice(path, lists.groups, name, config)
        for side, step in steps.items():
            for group, words in getattr(lists, side).items():
                if len(words) < step // 2:
                    raise ValueError(
                        f"{path}: {group}: expected at least {step // 2} words, half of silhouette.steps.{side}, "
                        f"got {len(words)}"
                    )

    gather([partial(read, path) for path in config["reference_pairs"][name]["lists"].values()])


def _check_templates(same: dict, config: dict) -> None:
    """Raise ValueError for malformed templates, and for words in their slots that are not one token."""
    groups = same["groups"]
    parts = templates.read(same["templates"], groups)
    slots = list(dict.fromkeys(template.kind for part in parts.values() for template in part))
    n_forms = {slot: len(groups[templates.GROUPS[0]][slot]) for slot in slots}
    if len(set(n_forms.values())) > 1:
        counts = ", ".join(f"{slot} has {n}" for slot, n in n_forms.items())
        raise ValueError(f"config: same.groups: the slots of {same['templates']} need equally many forms: {counts}")
    words = {f"config: same.groups.{group}": [word for slot in slots for word in forms[slot]]
             for group, forms in groups.items()}  # fmt: skip
    texts = {same["templates"]: [template.text for part in parts.values() for template in part],
             same["occupations"]: templates.occupations(same["occupations"])[0]}  # fmt: skip
    _check_single_tokens(words, texts, same["language_model"], config["language_models"])


def _check_material(intrinsic: dict, config: dict) -> None:
    """Raise ValueError for malformed templates of several groups and for options and terms that do not fit them."""
    n = intrinsic["n_templates"]
    with _named("intrinsic", "n_"):
        selected = planted_material.select(
            intrinsic["templates"], intrinsic["n_occupations"], n["training"], n["test"], seed=config["seed"]
        )
    _check_groups(intrinsic["templates"], selected, intrinsic["language_model"], config["language_models"])


def _check_models(study: str, config: dict) -> None:
    """Raise ValueError if two models of a study would have the same data."""
    with _named(study, "means", "min_p"):
        settings.training_jobs(config, study)


def _check_choice(path: str, groups: dict[str, list[str]], name: str, config: dict) -> None:
    """Raise ValueError unless two groups can be chosen by the bias planted in the corpus of a pair's biased model."""
    corpus = config["reference_pairs"][name]["biased"].get("corpus")
    options = config["corpora"].get(corpus, {})
    if options.get("source") != "generator" or options["control"]:
        raise ValueError(
            f"{path}: choose: ground_truth needs a biased model in reference_pairs.{name} that is trained on a "
            "generated corpus with control: false; otherwise give two groups and remove choose"
        )
    planted = [
        group
        for kind in PLANTED
        for group in files.read_yaml(resources.shipped_path("words") / f"{kind}.yaml")["groups"]
    ]
    for group in groups:
        registry.check_names(f"{path}: groups", [group], planted)


def _check_occupations(same: dict, config: dict) -> None:
    """Raise ValueError for too few occupations, and for missing stereotypes that a metric needs."""
    words, stereotypes = templates.occupations(same["occupations"])
    if same["n_occupations"] is not None and same["n_occupations"] > len(words):
        n, path = same["n_occupations"], same["occupations"]
        raise ValueError(f"config: same.n_occupations: expected at most {len(words)}, got {n} ({path})")
    missing = [group for group in templates.GROUPS if group not in stereotypes.values()]
    labelled = [name for name in same["metrics"] if study_metrics.needs_labels(config, name)]
    if missing and labelled:
        raise ValueError(
            f"{same['occupations']}: no occupation has the stereotype {missing[0]}, which {labelled[0]} compares"
        )


def _check_published(published: dict) -> None:
    """Raise ValueError for vectors without published numbers."""
    numbers = published_numbers.read(published["numbers"], published["word_lists"])
    vectors = list(dict.fromkeys(number.vectors for number in numbers))
    registry.check_names("config: published.vectors", published["vectors"], vectors)


def _check_audit_tests(tests: list[str]) -> None:
    """Raise ValueError for unknown tests of an audit, and for malformed files of tests."""
    with _named("audit", "tests:"):
        questions.find(tests)


def _check_downstream(config: dict) -> None:
    """Raise ValueError for attributes without defining sets, unknown occupations, and terms that are not one token."""
    study, settings, models = config["downstream"], config["downstream"]["planted"], config["language_models"]
    terms = defining_sets.read(study["defining"])
    for name in study["texts"]:
        if "attribute" in (options := study["text_sets"][name]):
            registry.check_names(f"config: downstream.text_sets.{name}.attribute", [options["attribute"]], terms)
        groups, heads = terms.get(options.get("attribute", "gender"), {}), study["heads"]
        most, asked = (len(groups) - 1) * len(next(iter(groups.values()), [])), max(heads["n_directions"], default=0)
        if groups and heads["directions_from"] == "words" and asked > most:
            message = f"expected at most {most}, which the words of {study['defining']} can span, got {asked}"
            raise ValueError(f"config: downstream.heads.n_directions: {message}")
    flat = [term for groups in terms.values() for group_terms in groups.values() for term in group_terms]
    for name in study["models"]:
        _check_single_tokens({}, {study["defining"]: flat}, name, models)
    pairs, texts = (
        any(study[sets][name]["source"] == "generated" for name in study[names])
        for names, sets in (("pairs", "pair_sets"), ("texts", "text_sets"))
    )
    if not (settings["strengths"] or pairs or texts):
        return  # the templates are not used
    with _named("downstream.planted", "n_", "occupations"):
        chosen = planted.select_templates(settings, seed=config["seed"])
    for name, attribute in chosen.attributes.items() if pairs else ():
        registry.check_names(f"{study['defining']}: attributes", [name], terms)
        registry.check_names(f"{study['defining']}: {name}", attribute.groups, terms[name])
    if settings["strengths"]:
        _check_groups(settings["templates"], chosen, settings["language_model"], models)


def _check_groups(path: str, material: Templates, name: str, models: Mapping[str, dict]) -> None:
    """Make the checks of `_check_single_tokens` for the terms and texts of a file of templates."""
    words = {f"{path}: attributes.{key}": [term for row in attribute.terms.values() for term in row]
             for key, attribute in material.attributes.items()}  # fmt: skip
    neutral = [term for attribute in material.attributes.values() for term in attribute.neutral.values()]
    lines = [template.text for template in (*material.training, *material.test)]
    _check_single_tokens(words, {path: [*material.occupations, *neutral, *lines]}, name, models)


def _check_single_tokens(
    words: Mapping[str, Iterable[str]], texts: Mapping[str, Iterable[str]], name: str, models: Mapping[str, dict]
) -> None:
    """Raise ValueError for a word that is not one token of a language model, and for special tokens such as [MASK].

    `words` and `texts` are by place, for the message; both are searched for special tokens. Nothing is checked if the
    tokenizer of the language model does not exist yet.
    """
    model = models.get(name, {})
    source = model.get("path") or model.get("pretrain", {}).get("vocabulary")
    if not isinstance(source, str) or not Path(source).exists():
        return
    special = model_files.special_tokens(Path(source))
    for where, strings in [*words.items(), *texts.items()]:
        for text in strings:
            if token := next((token for token in special if token in text), None):
                problem = f"{text!r:.200} has {token!r}, a special token of the language model {name!r}"
                raise ValueError(f"{where}: {problem}; expected words")
    tokens = model_files.subword_tokens(Path(source), [word for strings in words.values() for word in strings])
    wrong = {word: parts for word, parts in tokens.items() if len(parts) != 1 or parts[0] in UNKNOWN}
    for where, strings in words.items():
        for word in strings:
            if word in wrong:
                problem = f"{word!r} has the tokens {', '.join(wrong[word])} in the language model {name!r}"
                raise ValueError(f"{where}: {problem}; expected one token")

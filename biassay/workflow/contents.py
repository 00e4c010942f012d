"""The small files that a configuration names, read at the start: what is wrong in them is told before any job."""

from functools import partial
from pathlib import Path

from biassay.auditing import questions
from biassay.corpora import plain_text
from biassay.corpora.generator import PLANTED
from biassay.language_models import model_files, template_selection, templates
from biassay.support import registry
from biassay.words import files, published_numbers, resources, target_lists
from biassay.workflow import downstream, group_words, study_metrics
from biassay.workflow.problems import gather


def check(config: dict) -> None:
    """Read all small files of the configuration. Raises ValueError with all that is wrong."""
    first_order, same = config["first_order"], config["same"]
    swaps = [path for corpus in config["corpora"].values() for path in corpus.get("swap", [])]
    folders = [model["path"] for model in config["language_models"].values() if "path" in model]
    pretrained = [model["pretrain"] for model in config["language_models"].values() if "pretrain" in model]
    vocabularies = {path for model in pretrained if isinstance(path := model.get("vocabulary"), str)}
    key = "config: first_order"
    gather(
        [
            partial(_word_lists, first_order["word_lists"]),
            *(partial(_statistics, path) for path in first_order["occupation_statistics"].values()),
            partial(_words_of_occupations, first_order["occupations"]),
            partial(_check_words, f"{key}.diagnosis.occupations", first_order["diagnosis"]["occupations"]),
            partial(_check_words, f"{key}.neighbour_words", first_order["neighbour_words"]),
            *(
                partial(target_lists.read_groups, path, lower=True, allow_duplicates=True)
                for path in dict.fromkeys(swaps)
            ),
            *(partial(_pair, name, config) for name in config["silhouette"]["pairs"]),
            partial(_templates, same, config),
            partial(_occupations, same, config),
            partial(_material, config["intrinsic"], config),
            partial(_published, config["published"]),
            partial(_audited, config["audit"]["tests"]),
            partial(downstream.check_contents, config),
            *(partial(_model, folder) for folder in folders),
            *(partial(model_files.read_vocabulary, Path(path)) for path in vocabularies),
        ]
    )


def _word_lists(paths: dict[str, str]) -> None:
    """Raise ValueError unless all lists have the same two groups in the same order: scores are first less second."""
    found: dict[str, list[str]] = {}

    def read(name: str, path: str) -> None:
        lists = resources.read_two_groups(path)
        one, other = found[name] = list(lists)
        for group, words in lists.items():
            _check_words(f"{path}: {group}", words)
        if both := set(lists[one]) & set(lists[other]):
            raise ValueError(f"{path}: {min(both)!r} is a word of {one} and of {other}; it tells neither")
        first = next(iter(found))
        if found[name] != found[first]:
            raise ValueError(
                f"{path}: its groups are {', '.join(found[name])}, those of {paths[first]} {', '.join(found[first])}; "
                "all word lists need the same groups in the same order"
            )

    gather([partial(read, name, path) for name, path in paths.items()])


def _statistics(path: str) -> None:
    _check_words(path, resources.read_percentages(path).index.tolist())


def _words_of_occupations(path: str) -> None:
    _check_words(path, resources.read_occupations(path)["word"].tolist())


def _check_words(where: str, words: list[str]) -> None:
    """Raise ValueError, which begins with `where`, if none of some words can be in a corpus, such as in upper case."""
    if not words or any(
        (word.isalpha() and word == word.lower()) or plain_text.split_words(word) == [word] for word in words
    ):
        return
    small = any(plain_text.split_words(word) == [word.lower()] for word in words)
    raise ValueError(
        f"{where}: none of {len(words)} words, such as {words[0]!r}, can be in a corpus; "
        + ("all have upper-case letters, a corpus has none" if small else "expected single words of letters")
    )


def _pair(name: str, config: dict) -> None:
    """Raise ValueError unless the lists of a reference pair can be read and have as many words as a step takes."""
    steps = config["silhouette"]["steps"]

    def read(path: str) -> None:
        lists = target_lists.read(path)
        if lists.choose:
            _chosen(path, lists.groups, name, config)
        for which, step in steps.items():
            for group, words in getattr(lists, which).items():
                if len(words) < step // 2:
                    raise ValueError(
                        f"{path}: {group} has {len(words)} words; a step of {step} (silhouette.steps.{which}) takes "
                        f"{step // 2} of each list"
                    )

    gather([partial(read, path) for path in config["reference_pairs"][name]["lists"].values()])


def _templates(same: dict, config: dict) -> None:
    """Raise ValueError for malformed templates, and for words in their slots that the language model has in pieces."""
    given = same["groups"]
    found = templates.read(same["templates"], given)
    slots = list(dict.fromkeys(template.kind for part in found.values() for template in part))
    forms = {slot: len(given[templates.GROUPS[0]][slot]) for slot in slots}
    if len(set(forms.values())) > 1:
        told = ", ".join(f"{slot} {number}" for slot, number in forms.items())
        raise ValueError(f"config: same.groups: the slots of {same['templates']} differ in their forms: {told}")
    words = {f"config: same.groups.{group}": [word for slot in slots for word in forms[slot]]
             for group, forms in given.items()}  # fmt: skip
    texts = {same["templates"]: [template.text for part in found.values() for template in part],
             same["occupations"]: templates.occupations(same["occupations"])[0]}  # fmt: skip
    group_words.check_single_tokens(words, texts, same["language_model"], config["language_models"])


def _material(intrinsic: dict, config: dict) -> None:
    """Raise ValueError for malformed templates of several groups, more of them asked for than there are, intersections
    that no test template has, and terms that the language model has in pieces."""
    n, key = intrinsic["n_templates"], "config: intrinsic"
    try:
        found = template_selection.select(
            intrinsic["templates"], intrinsic["n_occupations"], n["training"], n["test"], seed=config["seed"]
        )
    except ValueError as error:
        raise ValueError(f"{key}.{error}" if str(error).startswith("n_") else str(error)) from error
    for pair in intrinsic["intersections"]:
        registry.check_names(f"{key}.intersections", pair, found.attributes)
        if not any(all(template.mentions(name) for name in pair) for template in found.test):
            raise ValueError(f"{key}.intersections: no test template mentions {' and '.join(pair)}")
    group_words.check_groups(intrinsic["templates"], found, intrinsic["language_model"], config["language_models"])


def _chosen(path: str, groups: dict[str, list[str]], name: str, config: dict) -> None:
    """Raise ValueError unless two of the groups can be chosen by what is planted in a pair's biased corpus."""
    corpus = config["reference_pairs"][name]["biased"].get("corpus")
    options = config["corpora"].get(corpus, {})
    if options.get("source") != "generator" or options["control"]:
        raise ValueError(
            f"{path}: choose: truth, but the biased model of reference_pairs.{name} is of no corpus of the generator "
            "with control: false; give two groups and leave choose out"
        )
    known = [
        group
        for kind in PLANTED
        for group in files.read_yaml(resources.shipped_path("words") / f"{kind}.yaml")["groups"]
    ]
    for group in groups:
        registry.check_names(f"{path}: groups", [group], known)


def _occupations(same: dict, config: dict) -> None:
    """Raise ValueError unless there are as many occupations as asked for, with stereotypes where metrics need them."""
    words, stereotypes = templates.occupations(same["occupations"])
    if same["n_occupations"] is not None and same["n_occupations"] > len(words):
        raise ValueError(f"config: same.n_occupations: {same['n_occupations']}; {same['occupations']} has {len(words)}")
    missing = [group for group in templates.GROUPS if group not in stereotypes.values()]
    labelled = [name for name in same["metrics"] if study_metrics.needs_labels(config, name)]
    if missing and labelled:
        raise ValueError(
            f"{same['occupations']}: no occupation has the stereotype {missing[0]}, which {labelled[0]} compares"
        )


def _published(published: dict) -> None:
    """Raise ValueError unless there are published numbers of all vectors that are named."""
    numbers = published_numbers.read(published["numbers"], published["word_lists"])
    known = list(dict.fromkeys(number.vectors for number in numbers))
    registry.check_names("config: published.vectors", published["vectors"], known)


def _audited(tests: list[str]) -> None:
    """Raise ValueError for tests of an audit that are not known, or whose files are malformed."""
    try:
        questions.find(tests)
    except ValueError as error:
        raise ValueError(f"config: audit.{error}" if str(error).startswith("tests:") else str(error)) from error


def _model(folder: str) -> None:
    if lacking := model_files.missing_files(Path(folder)):
        raise ValueError(f"{folder}: the folder lacks {lacking}")
    model_files.check_files(Path(folder))

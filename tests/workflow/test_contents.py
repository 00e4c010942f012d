"""Small files that a configuration names are checked at the start of a run, and all problems are reported."""

import copy
import re
import time

import pytest
import yaml

from biassay.workflow import board, contents
from tests.running import ROOT, copy_project, snakemake

DEFAULT = yaml.safe_load((ROOT / "config.yaml").read_text("utf-8"))
board.expand_own(DEFAULT)
PAIR = "paired: true\ngroups:\n  female: [she, her]\n  male: [he, his]\ntargets: targets.yaml\n"
TEMPLATES = 'training: ["{Pronoun} is {a_occ}."]\ntest: ["{Pronoun} was {a_occ}."]\n'
LISTS, SHARES, OCCUPATIONS, SWAP, PAIRS, FORMS, RATED = (
    "first_order.word_lists.medium", "first_order.occupation_statistics.labor", "first_order.occupations",
    "corpora.swapped.swap.0", "reference_pairs.planted.lists.gender", "same.templates", "same.occupations",
)  # fmt: skip
CASES = [
    (LISTS, "female: [she]\n", "got female"),
    (LISTS, "female: [she]\nmale: [he]\nother: [they]\n", "got 3: female, male, other"),
    (LISTS, "male: [he]\nfemale: [she]\n", "has the groups male, female, but"),
    (LISTS, "women: [she]\nmen: [he]\n", "all word lists need the same groups in the same order"),
    (LISTS, "female: []\nmale: [he]\n", "female: expected"),
    (LISTS, "female: she, her\nmale: [he]\n", "got 'she, her'"),
    (LISTS, "female: [she, she]\nmale: [he]\n", "female: duplicate word 'she'"),
    (LISTS, "female: [she, they]\nmale: [he, they]\n", "'they' is a word of both female and male"),
    (LISTS, "female: [she, no]\nmale: [he]\n", "female: invalid word False"),
    (LISTS, "female: [she, 2024]\nmale: [he]\n", "female: invalid word 2024"),
    (LISTS, "no: [she]\nmale: [he]\n", "got False; put it in quotes"),
    (LISTS, "2024: [she]\nmale: [he]\n", "got 2024"),
    (LISTS, "female: [she]\nfemale: [her]\nmale: [he]\n", "duplicate key 'female'"),
    (LISTS, "female: [' she']\nmale: [he]\n", "invalid word ' she'"),
    (SHARES, "word,percent_female\nnurse,registered,90\n", "line 2: expected 2 cells"),
    (SHARES, "word,percent_female\nnurse,ninety\n", "got 'ninety'"),
    (SHARES, "word,percent_female\nnurse,nan\n", "got 'nan'"),
    (SHARES, "word,percent_female\nnurse,inf\n", "got 'inf'"),
    (SHARES, "word,percent_female\nnurse,100.1\n", "got '100.1'"),
    (SHARES, "word,percent_female\nnurse,\n", "got ''"),
    (
        SHARES,
        "word,percent_female\nNurse,90\nMANAGER,40\n",
        "'Nurse', can occur in a corpus; expected lower-case words",
    ),
    (
        SHARES,
        "word,percent_female\nshop clerk,90\n",
        "none of the 1 words, such as 'shop clerk', can occur in a corpus",
    ),
    (LISTS, "female: [She, Her]\nmale: [he]\n", "female: none of the 2 words, such as 'She', can occur in a corpus"),
    (OCCUPATIONS, "word,mark,domain\nNURSE,n,care\n", "none of the 1 words, such as 'NURSE', can occur in a corpus"),
    (SHARES, "word\nnurse\n", "column 'percent_female'"),
    (OCCUPATIONS, "word,mark,domain\nnurse,x,care\n", "line 2: mark of 'nurse': "),
    (OCCUPATIONS, "word,mark\nnurse,n\n", "column 'domain'"),
    (SWAP, "paired: yes please\ngroups: {a: [x], b: [y]}\n", "got 'yes please'"),
    (SWAP, "paired: true\ngroups: {a: [x, z], b: [y]}\n", "got a 2, b 1"),
    (SWAP, "paired: false\ngroups: {a: [x]}\n", "got a"),
    (SWAP, "paired: false\ngroups: {a: [x], b: [y], c: [z]}\n", "expected two groups, got 3"),
    (PAIRS, PAIR, "got 'targets.yaml'"),
    (PAIRS, PAIR.replace("targets: targets.yaml\n", ""), "got None"),
    (
        PAIRS,
        PAIR.replace("paired", "paird"),
        "unknown key 'paird'; expected one of: source, paired, choose, groups, targets",
    ),
    (PAIRS, PAIR.replace("targets.yaml", "few.yaml"), "expected at least 3 words"),
    (FORMS, TEMPLATES.replace("training", "train"), "training: expected a list"),
    (FORMS, TEMPLATES.replace("{Pronoun} is", "{Pronoun} and {pronoun} are"), "expected one slot for the pronoun"),
    (FORMS, TEMPLATES.replace("{a_occ}.", "{occupation}."), "unknown slot {occupation}; expected one of"),
    (FORMS, TEMPLATES.replace("was", "is"), "is already in training"),
    (FORMS, TEMPLATES.replace('"{Pronoun} is {a_occ}."', "3"), "3 is not text"),
    (
        RATED,
        "word,stereotype\nnurse,woman\n",
        "line 2: stereotype of 'nurse': expected female, male, or nothing, got 'woman'",
    ),
    (RATED, "word,stereotype\nnurse,female\n", "same.n_occupations: expected at most "),
    (
        RATED,
        "word,stereotype\n" + "".join(f"w{n},female\n" for n in range(60)),
        "no occupation has the stereotype male",
    ),
]


def changed(tmp_path, place, content):
    """Return the default configuration with a file of this content at a key."""
    config = copy.deepcopy(DEFAULT)
    config["corpora"]["swapped"] = {"source": "counterfactual", "corpus": "biased", "swap": [None]}
    config["corpora"]["swapped"]["swap"][0] = str(ROOT / "resources/words/silhouette/swap_gender.yaml")
    path = tmp_path / "mine"
    path.write_text(content)
    (tmp_path / "few.yaml").write_text("good: [a, b]\nbad: [c, d]\n")
    *parents, last = place.split(".")
    node = config
    for key in parents:
        node = node[key]
    node[int(last) if last == "0" else last] = str(path)
    return config


@pytest.mark.bad_input(
    "word lists, statistics, occupations, swap lists, templates",
    "refused at the start; the message names file, line and value",
)
@pytest.mark.parametrize(("place", "content", "message"), CASES, ids=[f"{c[0]}: {c[2]}" for c in CASES])
def test_a_bad_file_is_named_with_what_is_wrong(tmp_path, monkeypatch, place, content, message):
    monkeypatch.chdir(ROOT)
    config = changed(tmp_path, place, content)
    with pytest.raises(ValueError, match=re.escape(message)) as caught:
        contents.check(config)
    assert str(tmp_path / "mine") in str(caught.value)
    assert "problems:" not in str(caught.value) or "same.n_occupations" in str(caught.value)


@pytest.mark.bad_input(
    "word lists, statistics, occupations, swap lists, templates",
    "refused at the start; the message names file, line and value",
)
def test_vectors_without_published_numbers_are_refused(monkeypatch):
    monkeypatch.chdir(ROOT)
    config = copy.deepcopy(DEFAULT)
    config["published"]["vectors"] = {"google_new": {"file": "README.md"}}
    message = r"published.vectors: unknown name 'google_new' \(did you mean 'google_news'.*google_news, glove_840b"
    with pytest.raises(ValueError, match=message):
        contents.check(config)


@pytest.mark.bad_input(
    "word lists, statistics, occupations, swap lists, templates",
    "refused at the start; the message names file, line and value",
)
@pytest.mark.parametrize(
    ("biased", "text", "message"),
    [
        (
            {"corpus": "control", "embedding": "glove"},
            "choose: ground_truth",
            "a generated corpus with control: false",
        ),
        (
            {"file": "vectors.txt"},
            "choose: ground_truth",
            "reference_pairs.planted that is trained on a generated corpus",
        ),
        (
            None,
            "choose: ground_truth\ngroups: {arab: [x], asia: [y]}",
            "groups: unknown name 'asia' (did you mean 'asian'?)",
        ),
        (None, "choose: random", "got 'random'"),
        (None, "", "got 5: african, arab"),
    ],
)
def test_groups_that_cannot_be_chosen_by_the_truth(tmp_path, monkeypatch, biased, text, message):
    monkeypatch.chdir(ROOT)
    folder = ROOT / "resources/words/silhouette_generated"
    content = yaml.safe_load((folder / "ethnicity.yaml").read_text("utf-8"))
    del content["choose"]
    (tmp_path / "mine.yaml").write_text(yaml.safe_dump(content | (yaml.safe_load(text) or {})))
    (tmp_path / "traits.yaml").write_text((folder / "traits.yaml").read_text("utf-8"))
    config = copy.deepcopy(DEFAULT)
    config["reference_pairs"]["planted"]["lists"]["ethnicity"] = str(tmp_path / "mine.yaml")
    config["reference_pairs"]["planted"]["biased"] = biased or config["reference_pairs"]["planted"]["biased"]
    with pytest.raises(ValueError, match=f"{re.escape(str(tmp_path))}/mine.yaml: .*{re.escape(message)}"):
        contents.check(config)


@pytest.mark.bad_input("model folders", "refused; the message names the missing or broken file")
def test_what_a_model_folder_lacks_is_told(tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    (tmp_path / "config.json").write_text("{}")
    config = copy.deepcopy(DEFAULT)
    config["language_models"]["mine"] = {"path": str(tmp_path)}
    with pytest.raises(ValueError, match=f"{tmp_path}: the folder lacks model.safetensors or .*, tokenizer.json or"):
        contents.check(config)


def test_the_default_is_read_in_no_time(monkeypatch):
    monkeypatch.chdir(ROOT)
    started = time.process_time()
    contents.check(copy.deepcopy(DEFAULT))
    assert time.process_time() - started < 2


def test_a_run_tells_all_at_its_start_and_jobs_do_not_read_again(tmp_path):
    copy_project(tmp_path)
    (tmp_path / "list.yaml").write_text("female: []\nmale: [he]\n")
    (tmp_path / "shares.csv").write_text("word,percent_female\nnurse,ninety\n")
    config = {"first_order": {"word_lists": {"medium": "list.yaml"}, "occupation_statistics": {"labor": "shares.csv"}}}
    result = snakemake(tmp_path, "properties", config=config)
    assert result.returncode != 0
    said = result.stdout + result.stderr
    assert "2 problems:\n- list.yaml: female: " in said
    assert "\n- shares.csv, line 2: percent_female of 'nurse': " in said
    assert "Traceback" not in said
    assert not (tmp_path / "results").exists()
    one_job = [
        "--mode",
        "subprocess",
        "--target-jobs",
        "check_properties:metric=mac",
        "--allowed-rules",
        "check_properties",
    ]
    result = snakemake(
        tmp_path, *one_job, "--nolock", config=config | {"properties": {"metrics": ["mac"], "n_starts": 1}}
    )
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "results/properties/verdicts/mac.json").is_file()

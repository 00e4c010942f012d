"""The downstream study of the tiny run: its texts in their store, and what a change reruns."""

import pytest

from tests.running import planned

pytest.importorskip("torch")
pytest.importorskip("transformers")
from biassay.studies.downstream.texts import Texts


def test_texts_of_persons_stay_in_their_store(finished):
    texts = Texts.open(finished / "results/downstream/texts/biographies")
    sentences = {sentence.strip() for text in (*texts.raw, *texts.scrubbed) for sentence in text.split(".")}
    sentences = {sentence for sentence in sentences if len(sentence.split()) > 4}
    assert len(sentences) > 100
    files = [path for path in (finished / "results").rglob("*") if path.suffix in (".csv", ".log", ".html", ".json")]
    assert len(files) > 40
    for path in files:
        content = path.read_text("utf-8")
        assert not any(sentence in content for sentence in sentences), path


OTHER = {"other": {"path": "resources/models/bert-tiny-enwiki"}}


@pytest.mark.parametrize(
    ("changes", "reruns", "others"),
    [
        ({"downstream": {"heads": {"epochs": 2}}}, {"train_downstream_heads": 2, "analyse_downstream": 1},
         {"encode_downstream", "train_downstream", "score_downstream"}),
        ({"downstream": {"models": ["tiny", "other"]}, "language_models": OTHER},
         {"encode_downstream": 1, "train_downstream_heads": 1, "score_downstream": 4},
         {"train_downstream", "collect_downstream_texts", "collect_downstream_pairs"}),
    ],
)  # fmt: skip
def test_reruns(finished, changes, reruns, others):
    jobs = planned(finished, "downstream", config=changes)
    assert {name: jobs.get(name) for name in reruns} == reruns
    assert not others & jobs.keys()

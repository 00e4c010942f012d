"""What is stored of a model: vectors in their order, pairs with what a model has as its mask, and scores of pairs."""

import shutil

import numpy as np
import pandas as pd
import pytest

from biassay.studies.downstream.texts import Texts
from tests.language_models import decoders_of_ours
from tests.scripted import run

pytest.importorskip("transformers")
from safetensors import numpy as safetensors

from biassay.language_models import loading
from biassay.language_models.encoding import embed
from biassay.metrics import log_likelihood, pll
from biassay.studies.downstream import encoding

TINY, WORDS = "resources/models/bert-tiny-enwiki", "resources/words/defining.yaml"
STEREOTYPICAL = ["The black men ran.", "The white nurse works, she said.", "An Asian chef ran.", "他 ran."]
ANTISTEREOTYPICAL = ["The white men ran.", "The black nurse works, she said.", "A white chef ran.", "她 ran."]
MASKED = ["The [MASK] men ran.", "The [MASK] nurse works, she said.", "[MASK] chef ran.", "[MASK] ran."]


RAW = ["She works as a nurse.", "He is a chef.", "The pilot saw him."]
SCRUBBED = ["works as a nurse.", "is a chef.", "The pilot saw."]
TEXTS = Texts("gender", ["male", "female"], ["nurse", "chef"], RAW, SCRUBBED, np.array([1, 0, 0]), np.eye(3)[:, :2])
MODELS = {
    "masked": lambda: loading.load(TINY, device="cpu"),
    "causal": lambda: decoders_of_ours.decoder("GPT2"),
    "encoder": lambda: loading.LanguageModel(*loading.read_model(TINY, TINY, "AutoModel", "encoder"), loading.ENCODER),
}


@pytest.mark.parametrize("kind", MODELS)
def test_what_is_stored(tmp_path, kind):
    model, terms = MODELS[kind](), {"age": {"old": ["old", "elder"], "young": ["young", "child"]}}
    sentences = {"stereotypical": STEREOTYPICAL, "antistereotypical": ANTISTEREOTYPICAL, "masked": MASKED}
    encoding.encode(model, terms, {"web": TEXTS}, {"crows": pd.DataFrame(sentences)}, tmp_path)
    stored = {str(path.relative_to(tmp_path))[:-4]: np.load(path) for path in tmp_path.rglob("*.npy")}
    mask = "[MASK]" if kind == "masked" else ""
    expected = {
        "group_words/age": ["old", "elder", "young", "child"],
        "texts/web/scrubbed": SCRUBBED, "texts/web/raw": RAW, "texts/web/titles": ["nurse", "chef"],
        "pairs/crows/masked": [f"The {mask} men ran.".replace("  ", " "),
                               f"The {mask} nurse works, she said.".replace("  ", " "), f"{mask} chef ran.".strip(),
                               f"{mask} ran.".strip()],
    }  # fmt: skip
    assert set(stored) == {*expected, *(["pairs/crows/scores"] if kind != "encoder" else [])}
    for name, said in expected.items():
        assert stored[name].dtype == np.float32
        np.testing.assert_allclose(stored[name], embed(model, said), atol=1e-6)
    if kind != "encoder":
        metric = {"masked": pll, "causal": log_likelihood}[kind]
        np.testing.assert_allclose(
            stored["pairs/crows/scores"], metric.scores(model, STEREOTYPICAL, ANTISTEREOTYPICAL), rtol=1e-5
        )
        assert stored["pairs/crows/scores"].dtype == np.float64
        assert np.isnan(stored["pairs/crows/scores"][3]).all() == (kind == "masked")  # two unknown tokens


def test_the_script_encodes_each_planted_model(tmp_path):
    """Copies here have an embedding of words that is as many times that of the base."""
    (tmp_path / "trained").mkdir()
    plan = pd.DataFrame({"model": [0, 1], "strength": [0, 1.0], "learned_gender": [0.1, 0.9]})
    plan.to_csv(tmp_path / "trained/models.csv", index=False)
    base = loading.load(TINY, device="cpu")
    before = base.model.get_input_embeddings().weight.detach().clone()

    def load_into(model, folder, number):
        assert folder == str(tmp_path / "trained")
        model.get_input_embeddings().weight.data = before * (number + 2)

    TEXTS.save(tmp_path / "texts")
    given = {"trained": [tmp_path / "trained"], "words": WORDS, "texts": [tmp_path / "texts"], "pairs": []}
    params = {"base": TINY, "texts": ["web"], "pairs": []}
    replace = {"biassay.language_models.stacked.files.load_into": load_into}
    out, wildcards = {"out": tmp_path / "out"}, {"model": "planted"}
    run("downstream/encode.py", input=given, output=out, wildcards=wildcards, params=params, replace=replace)
    found = pd.read_csv(tmp_path / "out/models.csv")
    assert found[["name", "job", "kind"]].to_numpy().tolist() == [[f"planted_{n}", "planted", "masked"] for n in (0, 1)]
    pd.testing.assert_frame_equal(found[plan.columns], plan)
    for number in (0, 1):
        load_into(base.model, str(tmp_path / "trained"), number)
        stored = np.load(tmp_path / f"out/planted_{number}/texts/web/titles.npy")
        np.testing.assert_allclose(stored, embed(base, ["nurse", "chef"]), atol=1e-5)


def test_a_head_that_lacks_weights_is_reported(tmp_path, caplog):
    shutil.copytree(TINY, tmp_path / "model")
    path = tmp_path / "model/model.safetensors"
    weights = {name: weight for name, weight in safetensors.load_file(path).items() if "predictions" not in name}
    safetensors.save_file(weights, path, {"format": "pt"})
    given = {"trained": [], "words": WORDS, "texts": [], "pairs": []}
    params = {"base": str(tmp_path / "model"), "texts": [], "pairs": []}
    out, wildcards = {"out": tmp_path / "out"}, {"model": "mine"}
    (tmp_path / "out").mkdir()
    run("downstream/encode.py", input=given, output=out, wildcards=wildcards, params=params)
    assert pd.read_csv(tmp_path / "out/models.csv")["kind"].tolist() == ["encoder"]
    assert "cls.predictions" in caplog.text

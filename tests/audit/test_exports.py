"""Exports of an audit: a model card's section, and a record of Every Eval Ever 0.3.0."""

import json
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from biassay.auditing import exports, numbers, result
from biassay.vectors.encoders import sources
from tests.running import ROOT

NAN = float("nan")
BERT = ROOT / "resources/models/bert-tiny-enwiki"
KEYS = {"schema_version", "evaluation_id", "retrieved_timestamp", "source_metadata", "eval_library", "model_info",
        "evaluation_results"}  # fmt: skip


@pytest.fixture(scope="module")
def of_one(joint_audit):
    """The audit of the first source."""
    name = joint_audit.sources[0]["name"]
    tables = {table: getattr(joint_audit, table) for table in result.TABLES}
    tables = {key: table[table["source"] == name] for key, table in tables.items() if "source" in table}
    return replace(joint_audit, **tables, sources=joint_audit.sources[:1])


def test_the_model_card_has_the_conclusions_and_all_values(joint_audit):
    card = joint_audit.model_card()
    rows = [re.split(r"(?<!\\)\|", line)[1:-1] for line in card.splitlines() if line.startswith("|")]
    assert {len(row) for row in rows} == {6, 9}
    values = {tuple(cell.strip() for cell in row[:3]): row for row in rows if len(row) == 9}
    table = joint_audit.table[joint_audit.table["sides"] == "groups and targets"]
    assert len(values) == len(table) + 2
    for row in table.itertuples():
        name = numbers.name(row.metric, row.level).replace("_", r"\_")
        finding, value, *_ = [cell.strip() for cell in values["ours", row.source, name][3:]]
        assert (value, finding) == (numbers.number(row.value), row.finding)
    assert "her (8 of 8 words), his (8 of 8 words)" in card
    command = "biassay audit planted/vectors.txt fair/vectors.txt --tests YOUR_TESTS.yaml"
    numbers_of = "--permutations 499 --resamples 20 --random-words 39"
    assert f"{command} {numbers_of}" in card
    skipped = pd.DataFrame(
        [["other.txt", "scarce", "", "too few words to tell (3 of 9)"]], columns=result.TABLES["skipped"]
    )
    assert (
        "| scarce | other.txt | – | – | too few words to tell (3 of 9) | – |"
        in replace(joint_audit, skipped=skipped).model_card()
    )
    of_pairs = joint_audit.summary.assign(test="pairs-gender")
    both = replace(joint_audit, summary=pd.concat([joint_audit.summary, of_pairs]))
    assert exports.command(both).startswith(f"{command} --pairs YOUR_PAIRS.csv --perm")
    settings = joint_audit.settings | {"prompt": "query: ", "pooling": "cls"}
    words = joint_audit.words.assign(metric="weat")
    changed = exports.command(replace(joint_audit, settings=settings, words=words))
    assert changed == f"{command} --rank-by weat {numbers_of} --prompt 'query: ' --pooling cls"
    trust = pd.DataFrame({"metric": ["weat", "away"]})
    own = exports.command(replace(joint_audit, trust=trust, words=words.assign(metric="/home/me/away.py")))
    metrics = "--rank-by YOUR_METRIC.py --own-metric YOUR_METRIC.py --metrics weat"
    assert own == f"{command} {metrics} {numbers_of}"


def test_a_record_is_of_one_source(joint_audit, of_one, tmp_path):
    with pytest.raises(ValueError, match=r"source: the audit has 2; name one of: planted/vectors\.txt, fair"):
        joint_audit.every_eval_ever()
    with pytest.raises(ValueError, match=r"source: .*'mars'"):
        joint_audit.every_eval_ever("mars")
    of_one.write(tmp_path / "out")
    record = json.loads((tmp_path / "out/every_eval_ever.json").read_text())
    again = joint_audit.every_eval_ever(of_one.sources[0]["name"], organization="Ada")
    assert set(record) == KEYS
    assert record["evaluation_id"] == again["evaluation_id"]
    assert again["source_metadata"]["source_organization_name"] == "Ada"
    joint_audit.write(tmp_path / "out")
    assert not (tmp_path / "out/every_eval_ever.json").exists()


def test_scores_are_distances_from_no_bias(of_one):
    results = {each["evaluation_result_id"]: each for each in of_one.every_eval_ever()["evaluation_results"]}
    table = of_one.table[of_one.table["sides"] == "groups and targets"].dropna(subset=["value", "b_0"])
    assert len(results) == len(table)
    undefined = replace(of_one, table=of_one.table.assign(value=NAN))
    assert not undefined.every_eval_ever()["evaluation_results"]
    for row in table.itertuples():
        one = results[f"ours/{row.metric}/{row.level.replace(' ', '_')}"]
        score, config = one["score_details"], one["metric_config"]
        assert score["score"] == pytest.approx(abs(row.value - row.b_0))
        assert config["min_score"] == 0
        assert config["max_score"] == "Infinity" or score["score"] <= config["max_score"]
        assert all(isinstance(text, str) for text in score["details"].values())
        assert float(score["details"]["value"]) == row.value
        interval = score.get("uncertainty", {}).get("confidence_interval")
        is_on_one_side = (row.ci_low - row.b_0) * (row.ci_high - row.b_0) > 0
        assert (interval is None) == (not is_on_one_side)
        if interval:
            ends = np.abs([row.ci_low - row.b_0, row.ci_high - row.b_0])
            assert (interval["lower"], interval["upper"]) == (min(ends), max(ends))


@pytest.mark.parametrize(("source", "name", "model"), [
    ("hf:ada/bert", "ada/bert", "ada/bert"), ("st:ada/mini", "mini", "ada/mini"), (f"hf:{BERT}", "b", "YOUR_MODEL/b"),
    ("/home/ada/glove.txt", "glove.txt", "glove.txt"),
])  # fmt: skip
def test_no_path_of_the_machine_is_exported(of_one, source, name, model):
    about = of_one.sources[0] | {"source": source, "name": name} | sources.describe(source, name)
    record = exports.every_eval_ever(replace(of_one, sources=[about]))
    assert record["model_info"]["id"] == model
    assert not any(path in json.dumps(record) for path in ("/home", str(BERT)))


@pytest.mark.parametrize(("prefix", "name", "address", "encoder"), [
    ("hf-inputs:", BERT, "hf-inputs:YOUR_MODEL/bert", "input embeddings of a language model"),
    ("", BERT, "hf:YOUR_MODEL/bert", "hidden states of a language model"),
    ("st:", "ada/mini", "st:ada/mini", "sentence encoder"),
])  # fmt: skip
def test_the_kind_of_a_source_is_exported(of_one, prefix, name, address, encoder):
    about = of_one.sources[0] | sources.describe(f"{prefix}{name}", "bert")
    audit = replace(of_one, sources=[about])
    assert exports.command(audit).startswith(f"biassay audit {address} --tests ")
    assert audit.every_eval_ever()["model_info"]["additional_details"]["encoder"] == encoder
    assert f"- Vectors: {encoder}, " in audit.model_card()

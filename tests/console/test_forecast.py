"""Forecasts: of the default run, of what is asked for more, and of what is not there."""

import copy
import csv

import pytest
import yaml

from biassay.console import amounts, forecast, room
from tests.running import ROOT

PLANNED = {"train_same": 1, "encode_corpus": 2, "score_same": 7, "no_such_rule": 1, "all": 1}


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """The checkout's paths, with results of nobody and nothing asked before."""
    monkeypatch.setattr(forecast, "OWN", tmp_path / "benchmarks/rules.csv")
    monkeypatch.setattr(forecast, "_asked", [])
    monkeypatch.chdir(ROOT)


@pytest.fixture
def config():
    return yaml.safe_load((ROOT / "config.yaml").read_text())


def measured():
    with open(ROOT / forecast.MEASURED, newline="") as file:
        return {row["rule"]: row for row in csv.DictReader(file)}


def of(config, planned=PLANNED, cores=2):
    return forecast.of(planned, cores, forecast.Asked(config, str(ROOT), 0))


def test_every_rule_whose_work_grows_is_a_rule():
    text = "".join(path.read_text() for path in (ROOT / "rules").rglob("*.smk"))
    assert all(f"rule {rule}:\n" in text for rule in [*amounts.AMOUNTS, *measured()])


def test_the_default_takes_what_was_measured(config):
    rows = measured()
    found = of(config)
    assert found.of_jobs["train_same"] == float(rows["train_same"]["seconds"])
    work = sum(
        number * (float(rows[rule]["seconds"]) * float(rows[rule]["threads"]) if rule in rows else 1.0)
        for rule, number in PLANNED.items()
    )
    assert found.seconds == pytest.approx(max((work + 0.9 * 12) / 2, float(rows["train_same"]["seconds"])), abs=0.01)
    assert found.off == forecast.OFF


@pytest.mark.parametrize(
    ("change", "rule", "times"),
    [
        ({"same": {"training": {"epochs": 40}}}, "train_same", 4),
        ({"same": {"repeats": 8, "chunk": 72}}, "train_same", 4),
        ({"same": {"repeats": 8}}, "train_same", 1),  # more jobs, each as large
        ({"same": {"n_occupations": 240}}, "train_same", 4),
        ({"corpora": {"biased": {"tokens": 6_000_000}, "control": {"tokens": 10_000_000}}}, "encode_corpus", 4),
        ({"silhouette": {"shuffles": 400}}, "measure_silhouettes", 4),
        ({"properties": {"n_starts": 16}}, "check_properties", 4),
        ({"downstream": {"planted": {"training": {"epochs": 32}}}}, "train_downstream", 4),
        ({"intrinsic": {"training": {"epochs": 40}}}, "train_intrinsic", 4),
    ],
)
def test_a_job_takes_as_many_times_as_is_asked_for(config, change, rule, times):
    def merge(into, values):
        for key, value in values.items():
            if isinstance(value, dict):
                merge(into[key], value)
            else:
                into[key] = value

    default = copy.deepcopy(config)
    merge(config, change)
    assert forecast.ratio(rule, config, default) == pytest.approx(times)


def test_a_larger_model_takes_longer_and_more_memory(config):
    small = of(config)
    config["language_models"]["tiny"] = {"hub": "bert-base-uncased", "revision": "unknown"}
    large = of(config)
    assert (
        30 < large.of_jobs["train_same"] / small.of_jobs["train_same"] < 50
    )  # two sizes measured: 3 × for 3 × the cost
    assert large.memory <= max(room.machine(), 4000)
    assert large.disk > 20 * small.disk
    assert large.off > small.off


def test_pretraining_is_compared_with_its_defaults_though_the_default_run_has_none(config):
    rule = "pretrain_language_model"
    usual = forecast.BESIDES[rule]["seconds"]
    for options, times in (({}, 1), ({"steps": 500}, 0.25), ({"batch": 32, "length": 64}, 1 / 16)):
        config["language_models"]["mine"] = {"pretrain": {"corpus": "biased", **options}}
        found = of(config, {rule: 1})
        assert found.of_jobs[rule] == pytest.approx(times * usual)
        assert found.seconds == pytest.approx(times * usual, rel=0.01)


def test_a_warning_where_memory_or_disk_will_not_do(config, monkeypatch):
    assert not [line for line in of(config).lines() if "WARNING" in line]
    monkeypatch.setattr(room, "machine", lambda: 400.0)
    monkeypatch.setattr(forecast.shutil, "disk_usage", lambda path: type("Usage", (), {"free": 5e6}))
    said = "\n".join(of(config).lines())
    assert "WARNING: this machine has 400 MB of memory" in said
    assert f"WARNING: the disk of {ROOT} has 5 MB free" in said


def test_of_a_cluster_core_hours_are_told_and_no_memory_of_this_machine(config, monkeypatch):
    monkeypatch.setattr(room, "machine", lambda: 400.0)
    said = of(config, {"train_same": 60}).lines(cluster=True)
    row = measured()["train_same"]
    work = 60 * (float(row["seconds"]) * float(row["threads"]) + 0.9) / 3600
    assert said[0].startswith(f"Forecast: about {work / 1.6:.1f} to {work * 1.6:.1f} core-hours, ")
    assert not [line for line in said if "WARNING" in line]


def test_files_that_are_not_there_are_named_and_bound_nothing_above(config, tmp_path):
    config["corpora"]["mine"] = {"source": "text", "path": str(tmp_path / "*.txt")}
    config["first_order"]["corpora"] = ["mine"]
    said = of(config).lines()
    assert said[0].startswith("Forecast: more than ")
    assert "mine" in said[1]
    (tmp_path / "a.txt").write_bytes(b"x" * 60_000_000)
    config["silhouette"]["pairs"] = []
    assert amounts.tokens(config) == pytest.approx(1e7)
    assert of(config).lines()[0].startswith("Forecast: about ")


def test_runs_on_this_machine_are_remembered_at_the_defaults_size(config):
    config["same"]["training"]["epochs"] *= 3
    forecast.expect(config, str(ROOT), 2)
    forecast.remember({"train_same": [240.0, 360.0], "score_same": [2.0]})
    assert forecast.OWN.read_text() == "rule,jobs,seconds\nscore_same,1,2.00\ntrain_same,2,100.00\n"
    assert of(config).of_jobs["train_same"] == pytest.approx(300.0)
    forecast.remember({"score_same": [4.0]})
    assert "train_same,2,100.00" in forecast.OWN.read_text()
    for row in ("jobs\nscore_same,x", "seconds\nscore_same,7", "jobs,seconds\nscore_same,1,nan",
                "jobs,seconds\nscore_same,1,-7", "jobs,seconds\nscore_same,0,inf"):  # fmt: skip
        forecast.OWN.write_text(f"rule,{row}\n")  # damaged: it stops no run
        assert of(config).of_jobs["score_same"] == float(measured()["score_same"]["seconds"])
        forecast.remember({})


def test_without_a_configuration_a_job_takes_a_second():
    assert forecast.of({"a": 3, "b": 1}).seconds == 4.0

"""Calibration on vectors whose association is known: nulls, doses, detectable doses, and bad input."""

from dataclasses import replace
from itertools import product
from string import ascii_lowercase

import numpy as np
import pandas as pd
import pytest
import yaml
from scipy.optimize import brentq
from scipy.stats import binom, nct, t

from biassay import audit, calibrate, cli
from biassay.auditing import result, terminal
from biassay.calibration import doses, power, samples, tables
from biassay.calibration.doses import FORMS, NULLS, Material
from biassay.measurement.metric import load
from biassay.statistics.geometry import unit
from biassay.studies.silhouette import values

D = 20
NAMES = "women", "men", "first", "second", "other"


def power_of_t(dose, n):
    """Power of a two-sided t-test of two lists of n words at 5 %."""
    return nct.sf(t.ppf(0.975, 2 * n - 2), 2 * n - 2, dose * np.sqrt(n / 2))


def make_material(seed=1, n=30, m=10, gap=2.0, paired=True):
    """Groups on both sides of the origin along the first axis, and targets without association."""
    random = np.random.default_rng(seed)
    groups = [sign * gap * np.eye(D)[0] + random.normal(size=(m, D)) for sign in (1, -1)]
    return Material(groups, [random.normal(size=(n, D)) for _ in range(2)], random.normal(size=(300, D)), paired)


def write_vectors(folder, material):
    lists = dict(zip(NAMES, [*material.groups, *material.targets, material.pool], strict=True))
    ends = list(map("".join, product(ascii_lowercase, repeat=2)))
    words = {name: [name + end for end in ends[: len(rows)]] for name, rows in lists.items()}
    lines = [f"{word} {' '.join(f'{x:.5f}' for x in row)}" for name, rows in lists.items()
             for word, row in zip(words[name], rows, strict=True)]  # fmt: skip
    (folder / "vectors.txt").write_text("\n".join(lines) + "\n")
    test = {"groups": {key: words[key] for key in NAMES[:2]}, "paired": material.paired,
            "targets": {key: words[key] for key in NAMES[2:4]}}  # fmt: skip
    (folder / "jobs.yaml").write_text(yaml.safe_dump(test))
    return folder / "vectors.txt", folder / "jobs.yaml"


@pytest.mark.parametrize("form", FORMS)
def test_a_dose_has_its_size(form):
    """Twice the dose moves twice as far; along the difference, the effect grows by the dose."""
    material = make_material()
    random = np.random.default_rng(3)
    shift = doses.draw_shift(doses.replace_association(material, random), FORMS[form], random)
    moved = [np.concatenate(shift.give(dose).targets) - np.concatenate(shift.give(0).targets) for dose in (1, 2)]
    np.testing.assert_allclose(2 * moved[0], moved[1])
    lengths = np.linalg.norm(np.concatenate(shift.material.targets), axis=1)
    spread = unit(material.pool) @ material.direction
    spread = spread.std(ddof=1)
    sizes = np.linalg.norm(moved[0], axis=1) / lengths
    if form == "skew":
        np.testing.assert_allclose(moved[0] / lengths[:, None], np.tile(spread * material.direction, (60, 1)), rtol=0.2)
        assert shift.give(0).effects()[1] == pytest.approx(0, abs=0.1)
        assert shift.give(0.5).effects()[1] == pytest.approx(0.5, abs=0.1)
    elif form == "half of the words":
        assert (sizes == 0).sum() == 30
        assert shift.give(1).effects()[0] - shift.give(0).effects()[0] == pytest.approx(0.5, abs=0.1)
    elif form == "difference":
        np.testing.assert_allclose(sizes, spread / 2)
        assert shift.give(1).effects()[0] - shift.give(0).effects()[0] == pytest.approx(1, abs=0.1)
    else:
        directions = moved[0] / np.linalg.norm(moved[0], axis=1, keepdims=True)
        ends = np.repeat([1, -1], 30)[:, None] * directions
        assert (ends @ material.direction > 0).all()
        in_span = ends @ material.span.T
        np.testing.assert_allclose(np.linalg.norm(in_span, axis=1), 1)
        assert np.ptp(ends, axis=0).max() == pytest.approx(0) if form == "random direction" else np.ptp(ends) > 0.5


def test_samples_without_association_keep_the_words_and_change_what_they_say():
    material, random = make_material(), np.random.default_rng(2)
    drawn = {null: draw(material, random) for null, draw in NULLS.items()}
    for null, sample in drawn.items():
        assert [part.shape for part in (*sample.groups, *sample.targets)] == [(10, D)] * 2 + [(30, D)] * 2
        has_groups = all((a == b).all() for a, b in zip(sample.groups, material.groups, strict=True))
        assert has_groups == (null not in ("groups reassigned", "pairs exchanged"))
    exchanged = drawn["pairs exchanged"].groups
    is_first = (exchanged[0] == material.groups[0]).all(axis=1)
    assert ((exchanged[1] == material.groups[0]).all(axis=1) == ~is_first).all()
    assert 0 < is_first.sum() < 10
    dealt = np.concatenate(drawn["targets reassigned"].targets)
    np.testing.assert_array_equal(np.sort(dealt, axis=0), np.sort(np.concatenate(material.targets), axis=0))
    replaced = np.concatenate(drawn["association replaced"].targets)
    in_span = {tuple(row) for row in (unit(material.pool) @ material.span.T).round(9)}
    original = np.concatenate(material.targets)
    outside = [rows - rows @ material.span.T @ material.span for rows in (original, replaced)]
    order = [np.lexsort(rows.T.round(9)) for rows in outside]
    np.testing.assert_allclose(outside[0][order[0]], outside[1][order[1]], atol=1e-9)
    lengths = np.linalg.norm(original, axis=1)[order[0]]
    found = {tuple(row) for row in (replaced[order[1]] @ material.span.T / lengths[:, None]).round(9)}
    assert len(found & in_span) > 55  # but for rounding
    pool = {tuple(row) for row in material.pool}
    words = [tuple(row) for row in np.concatenate(drawn["random words"].targets)]
    assert len(set(words)) == 60
    assert set(words) <= pool


@pytest.mark.parametrize(
    ("rates", "expected"),
    [([0, 0.4, 1], 1 + 0.4 / 0.6), ([0.1, 0.8, 1], 1), ([0, 0.5, 0.7], np.inf), ([0, 0.9, 0.7], 1), ([0.9] * 3, 0)],
)  # fmt: skip
def test_detectable_dose_by_hand(rates, expected):
    """Power that falls is averaged: .9 and .7 become .8."""
    assert power.find_detectable_dose(np.array([0, 1, 2.0]), np.array([rates]))[0] == pytest.approx(expected)


def test_recovery_and_rates_by_hand():
    levels = np.array([0, 1, 2.0])
    assert power.correlate_with_dose(levels, np.array([[1, 3, 5.0]] * 4), 1) == pytest.approx(
        {"recovery": 1, "recovery_low": 1, "recovery_high": 1}
    )
    assert power.correlate_with_dose(levels, np.array([[1, 0, 1.0]] * 4), 1)["recovery"] == pytest.approx(0)
    undefined = [[0, np.nan, 0], [1, 3, 5.0], [1, 3, 5.0]]  # at a dose: the sample is left out
    assert power.correlate_with_dose(levels, np.array(undefined), 1)["recovery"] == pytest.approx(1)
    assert np.isnan(power.correlate_with_dose(levels, np.array(undefined[:1]), 1)["recovery_low"])
    found = power.rate(np.array([0.01, 0.05, 0.06, np.nan]))
    assert (found["n"], found["rate"], found["undefined"]) == (4, 0.5, 0.25)
    p = np.tile([[0.5, 0.01, 0.01], [0.5, 0.5, 0.01]], (10, 1))  # power 0, 0.5 and 1
    found = power.summarise_power(levels, p, 1)
    assert found["min_detectable_dose"] == pytest.approx(1.6)
    assert 1 < found["low"] < 1.6 < found["high"] <= 1.9


@pytest.mark.parametrize(("metric", "side"), [("weat", "targets"), ("gweat", "targets"), ("same", "groups")])
def test_a_test_of_targets_has_the_value_and_the_test_of_its_audit(metric, side):
    """With `scored: targets`, WEAT and gWEAT take the targets as X and Y."""
    material = replace(make_material(), scored="targets")
    lists = [material.groups, material.targets] if side == "groups" else [material.targets, material.groups]
    module = load(metric)
    inputs = values.assign_inputs(module.METRIC, *lists, "groups", paired=True)
    value = module.set_bias(inputs.scored, inputs.references, *([] if inputs.labels is None else [inputs.labels]))
    assert samples.measure_sample(module, material) == pytest.approx(float(value))
    found = {samples.VALUE: np.array([[1.0]]), "groups": np.array([[0.2]]), "targets": np.array([[0.4]])}
    p = tables.add_tests(found, samples.reassigned_side(module, material), np.zeros(99), 0.0)[tables.AUDIT]
    assert p == pytest.approx({"groups": 0.2, "targets": 0.4}[side])


@pytest.fixture(scope="module")
def calibration(tmp_path_factory):
    folder = tmp_path_factory.mktemp("calibration")
    vectors, test = write_vectors(folder, make_material())
    options = {"metrics": ["weat", "same"], "doses": [0.4, 0.75, 1.0, 1.5], "samples": 100, "null_samples": 200}
    return calibrate(vectors, test, **options)


def test_reassigned_targets_are_tested_at_their_level(calibration):
    """The test is exact where its own null holds: 5 % of samples; at a dose its power is that of a t-test."""
    rows = calibration.nulls.set_index(["metric", "test", "null"])
    for metric in ("weat", "same"):
        low, high = binom.ppf([0.001, 0.999], 200, 0.05) / 200
        assert low <= rows.loc[(metric, "targets", "targets reassigned"), "rate"] <= high
        assert low <= rows.loc[(metric, "targets", "random words"), "rate"] <= high
        for null in ("association replaced", "random words"):
            assert low <= rows.loc[(metric, "random words", null), "rate"] <= high
    found = calibration.summary.set_index(["metric", "test", "form"])["min_detectable_dose"]
    expected = brentq(lambda dose: power_of_t(dose, 30) - 0.8, 0.1, 2)
    assert found["weat", "targets", "difference"] == pytest.approx(expected, abs=0.2)
    assert found["weat", "targets", "skew"] == np.inf
    assert found["weat", "targets", "half of the words"] > found["weat", "targets", "difference"]


def test_values_follow_doses_and_power_grows(calibration):
    values = calibration.values.set_index(["metric", "form", "dose"])["value"].sort_index()
    assert (np.diff(values["weat", "difference"]) > 0).all()
    assert abs(values["weat", "skew"]).max() < 0.3
    assert values["same", "skew", 1.5] > values["same", "skew", 0.0]
    recovery = calibration.summary.drop_duplicates(["metric", "form"]).set_index(["metric", "form"])["recovery"]
    assert recovery["weat", "difference"] > 0.7 > 0.3 > abs(recovery["weat", "skew"])
    rates = calibration.power.set_index(["metric", "form", "test", "dose"])["rate"].sort_index()["weat", "difference"]
    assert rates["targets", 0.75] == pytest.approx(power_of_t(0.75, 30), abs=0.12)
    for test in ("groups", "random words"):
        assert (rates["audit"] <= rates[test]).all()


def test_recovery_is_positive_whichever_group_a_sign_stands_for(tmp_path):
    """A skewed dose moves the targets to the first group; RND is positive towards the second, SAME to the first."""
    vectors, test = write_vectors(tmp_path, make_material(n=8, m=4))
    options = {"samples": 20, "null_samples": 20, "doses": [3], "permutations": 19}
    found = calibrate(vectors, test, metrics=["rnd", "same_skew"], **options)
    recovery = found.summary[found.summary["form"] == "skew"].groupby("metric")["recovery"].first()
    assert recovery["rnd"] > 0.8 < recovery["same_skew"]


def test_the_command_prints_and_writes_and_results_do_not_depend_on_processes(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    vectors, test = write_vectors(tmp_path, make_material(n=8, m=4))
    options = ["--metrics", "weat", "direct_bias", "--samples", "20", "--null-samples", "20", "--doses", "1", "2"]
    assert cli.main(["calibrate", str(vectors), "--test", str(test), *options, "--processes", "2"]) == 0
    printed = capsys.readouterr().out
    assert all(text in printed for text in ("weat", "direct_bias", "difference", "page: calibration-vectors"))
    folder = next(tmp_path.glob("calibration-*"))
    again = calibrate(vectors, test, metrics=["weat", "direct_bias"], samples=20, null_samples=20, doses=[1, 2])
    pd.testing.assert_frame_equal(pd.read_csv(folder / "summary.csv"), again.summary, rtol=1e-5)
    page = (folder / "index.html").read_text("utf-8")
    assert page.count("<polyline") == 2 * 2 * 5  # metrics, tests and forms
    (folder / "mine.txt").write_text("")
    assert cli.main(["calibrate", str(vectors), "--test", str(test), *options, "--out", str(folder)]) == 2
    assert "mine" not in capsys.readouterr().out
    site = tmp_path / "site"
    site.mkdir()
    (site / "index.html").write_text("mine")
    assert cli.main(["calibrate", str(vectors), "--test", str(test), *options, "--out", str(site)]) == 2
    assert (site / "index.html").read_text() == "mine"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--epochs", "9"], "--epochs has no effect without"),
        (["--pairs", "--samples", "400"], "--samples has no effect with "),
    ],
)
def test_options_of_the_other_calibration(options, message, capsys):
    assert cli.main(["calibrate", "source.txt", *options]) == 2
    assert message in capsys.readouterr().err


def test_an_audit_shows_the_calibration_of_its_tests(tmp_path):
    vectors, test = write_vectors(tmp_path, make_material(n=8, m=4))
    single = tmp_path / "single.yaml"
    single.write_text(yaml.safe_dump(yaml.safe_load(test.read_text()) | {"targets": {"all": ["firstaa", "firstab"]}}))
    found = audit(vectors, tests=[test, single], metrics=["weat", "same_skew"], calibrate=True, resamples=20)
    alone = calibrate(vectors, test, metrics=["weat", "same_skew"])
    rows = alone.summary[alone.summary["test"] == "audit"].reset_index(drop=True)
    for column in ("metric", "form", "min_detectable_dose", "recovery"):
        pd.testing.assert_series_equal(found.calibration[column], rows[column])
    rates = alone.nulls[(alone.nulls["test"] == "audit") & (alone.nulls["metric"] == "weat")]["rate"]
    first = found.calibration.iloc[0]
    assert (first["min_false_positive_rate"], first["max_false_positive_rate"]) == (rates.min(), rates.max())
    assert found.calibration["effect"].dropna().unique().tolist() == list(alone.about["effects"].values())
    assert "two lists of targets" in found.skipped.set_index("metric").loc["calibration", "reason"]
    page = found.write(tmp_path / "out")
    assert "Calibration" in page.read_text("utf-8")
    assert "(jobs)" in terminal.render(found)  # the name of the test
    pd.testing.assert_frame_equal(result.read(page.parent).calibration, found.calibration)
    assert not len(audit(vectors, tests=[test], metrics=["weat"], resamples=20).calibration)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"doses": [1, 0.5]}, "doses: expected ascending"),
        ({"doses": [0]}, "doses: expected ascending"),
        ({"doses": [11]}, "up to 10"),
        ({"doses": [float("nan")]}, "doses: expected"),
        ({"samples": 5}, "samples"),
        ({"test": "weat99"}, "weat99"),
        ({"metrics": ["pll"]}, r"metrics: none of them .* \(pll: it takes"),
        ({"n": 3}, "4 words with a vector"),
        ({"constant": 2}, "all words of first"),
        ({"constant": 0}, "all words of women"),
        ({"width": 1}, "two dimensions"),
        ({"same_groups": True}, "no direction"),
        ({"pool": 20}, "24 random words or more, two for each target, got 20"),
    ],
)
def test_bad_input_is_named(tmp_path, change, message):
    material = make_material(n=change.pop("n", 6), m=4)
    material.pool.resize((change.pop("pool", 300), D), refcheck=False)
    lists = [*material.groups, *material.targets]
    if "constant" in change:
        lists[change.pop("constant")][:] = 1.0
    if change.pop("same_groups", False):
        lists[1][:] = lists[0]
    if width := change.pop("width", None):
        lists = [rows[:, :width] for rows in lists]
        material = Material(lists[:2], lists[2:], material.pool[:, :width], True)
    vectors, test = write_vectors(tmp_path, material)
    with pytest.raises(ValueError, match=message):
        calibrate(vectors, **({"test": test, "metrics": ["weat"]} | change))

"""The last block of every script: each argument of main() comes from the place in the rule that it is named after."""

import re

import pytest

from tests.running import ROOT
from tests.workflow.places import given, names
from tests.workflow.test_house import RULES

SAME_TABLES = ["correlations", "summary", "comparisons", "differences", "angles", "directions"]
SCRIPTS = {}
for rule in RULES:
    if match := re.search(r'scripts/(\w+/\w+)\.py"', rule.values[2]):
        SCRIPTS[match[1]] = rule.values[2]
PROPERTIES = ["comparable", "trustworthy", "skew", "stereotype"]
WORDS = ["correlations", "words", "signs", "comparisons"]
INTRINSIC = [
    *WORDS[1:],
    "sets",
    "set_comparisons",
    "min_detectable_effect",
    "reliability",
    "retraining_variability",
    "intersections",
]
FORMS, FOLDER = {"forms": "input.templates"}, {"folder": "folder of output.tokens"}
OF_SETS = {name: f"{{params.{name}: input.{name}}}" for name in ("texts", "pairs")}
OF_METRICS = {"scores": "{params.metrics: input.scores}"}
SEEDS = {"tables": "{params.seeds: input.tables}"}
RENAMED = {  # arguments that have another name than their place in the rule, or several places
    "corpora/generate": {"words": "folder of input.occupations"},
    "corpora/encode": FOLDER,
    "corpora/swap_terms": FOLDER | {"source": "folder of input.corpus"},
    "counts/count_cooccurrences": {"corpus": "folder of input.tokens"},
    "counts/count_shard": {"corpus": "folder of input.tokens"},
    "embeddings/train": {"options": "{*: params.options.*, seed: params.seed, threads: threads}"},
    "first_order/score": {"embeddings": "{params.embeddings: input.embeddings}", "name": "wildcards.metric"},
    "seeds/plot": SEEDS | {"only": "{word_list: params.main_list}"},
    "seeds/summarise": SEEDS,
    "first_order/list_missing_words": {"vocabularies": "{params.corpora: input.words}"},
    "first_order/answer": {"findings_out": "output.findings"},
    "first_order/diagnose_contexts": {
        "folder": "input.embedding",
        "occupations": "params.options.occupations",
        "n_contexts": "params.options.n_contexts",
        "out": "output.contexts",
    },
    "first_order/measure_factors": {"folder": "input.embedding", "out": "output.factors"},
    "first_order/classify_perceived": {"folder": "input.embedding", "counts": "input.corpus"},
    "first_order/plot_correlations": {name: f"params.shown.{name}" for name in ("main_list", "generated")},
    "first_order/plot_factors": {"original": "output.factors"},
    "silhouette/collect_words": {
        "models": "{biased: input.biased, unbiased: input.unbiased}",
        "word_lists": "params.lists",
        "folder": "folder of output.vectors",
    },
    "silhouette/measure": {"folder": "folder of input.words"},
    "silhouette/score": {"files": "input.values", "table": "output.scores"},
    "silhouette/plot_scores": {"converged": "output.convergence"},
    "same/plan": FORMS | {"chosen": "output.occupations"},
    "same/train": FORMS,
    "same/encode": FORMS,
    "same/compare_directions": FORMS,
    "same/select_models": {"table": "output.models"},
    "same/correlate": {"out": "{" + ", ".join(f"{name}: output.{name}" for name in SAME_TABLES) + "}"},
    "same/plot_examples": {"scores": "{params.metrics: input.scores}"},
    "intrinsic/plan": FORMS,
    "intrinsic/train": FORMS,
    "intrinsic/encode": FORMS,
    "intrinsic/gather": {"attempts_out": "output.attempts", "out": "output.bias", "bias": "input.bias"},
    "intrinsic/score": {"out": "output.scores"},
    "intrinsic/correlate": {"out": "{" + ", ".join(f"{name}: output.{name}" for name in WORDS) + "}"},
    "intrinsic/measure_templates": {
        "share": "params.reliability.share",
        "n_samples": "params.reliability.samples",
        "reliability": "output.reliability",
    },
    "intrinsic/measure_variability": {"retraining_variability": "output.0"},
    "intrinsic/answer": {"results": "{" + ", ".join(f"{name}: input.{name}" for name in INTRINSIC) + "}"},
    "downstream/collect_texts": {"defining": "input.words", "out": "output.texts"},
    "downstream/collect_pairs": {"out": "output.pairs"},
    "downstream/encode": {"name": "wildcards.model"} | OF_SETS,
    "downstream/train_heads": {"texts": OF_SETS["texts"]},
    "downstream/gather": {"pairs": OF_SETS["pairs"]},
    "downstream/score": {"out": "output.scores"} | OF_SETS,
    "downstream/rank": OF_METRICS | {"draws": "params.resamples"},
    "downstream/correlate": OF_METRICS
    | {"pair_scores": "{params.metrics: input.pair_scores}", "draws": "params.resamples"},
    "downstream/measure_robustness": OF_METRICS
    | {
        "subsets": "{params.metrics: input.subsets}",
        "sheets": "{params.texts: input.sheets}",
        "out": "output.robustness",
    },
    "board/collect": {"paths": "input.tables", "out": "output.criteria"},
    "board/write_study": {"files": "input.results"},
    "language_models/download": {"name": "params.hub"},
    "properties/check": {"name": "params.metric"},
    "properties/tabulate": {"verdicts": "{params.metrics: input.verdicts}"},
    "published/tabulate": {"vectors": "{params.vectors: input.vectors}"},
    "published/plot": {"out": "output.figure"},
    "properties/plot": {
        "tables": "output.table",
        "verdicts": "{params.metrics: input.verdicts}",
        "counterexamples": "{" + ", ".join(f"{name}: output.{name}" for name in PROPERTIES) + "}",
    },
    "board/summarise": {"boards": "{params.seeds: input.boards}"},
    "audit/measure": {"folder": "folder of output.page"},
    "audit/join": {"folder": "folder of output.page"},
}


def expected(script, rule, argument):
    """The place that an argument is named after."""
    if argument in RENAMED.get(script, {}):
        return RENAMED[script][argument]
    if argument == "out" and names(rule, "output") == ["0"]:
        return "output.0"
    if argument == "threads":
        return "threads"
    if argument.endswith("_out"):
        return f"output.{argument.removesuffix('_out')}"
    kinds = ("params", "wildcards", "input", "output")
    return next(f"{kind}.{argument}" for kind in kinds if argument in names(rule, kind))


@pytest.mark.parametrize("script", SCRIPTS)
def test_arguments_come_from_their_places(script):
    rule = SCRIPTS[script]
    arguments = given(script, rule)
    assert arguments == {name: expected(script, rule, name) for name in arguments}
    text = " ".join(arguments.values())
    assert set(re.findall(r"\bparams\.(\w+)", text)) == set(names(rule, "params")) - {"code"}
    if "folder of output" not in text:
        assert sorted(re.findall(r"\boutput\.(\w+)", text)) == sorted(names(rule, "output"))


@pytest.mark.parametrize("script", [name for name in SCRIPTS if ": input" in str(RENAMED.get(name))])
def test_a_file_too_many_for_the_names_is_an_error(script):
    if "zip" in (ROOT / f"scripts/{script}.py").read_text("utf-8").split("__main__")[1]:
        with pytest.raises(ValueError, match="zip"):
            given(script, SCRIPTS[script], inputs=2)

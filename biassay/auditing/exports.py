"""An audit for others: a section of a model card, and a record of Every Eval Ever."""

import hashlib
import json
import re
import shlex
import time
from collections.abc import Iterator

import pandas as pd

from biassay.auditing import numbers
from biassay.auditing.bound_metrics import SET
from biassay.auditing.findings import ASSOCIATION
from biassay.auditing.questions import BARE, shipped_tests
from biassay.auditing.result import Audit
from biassay.auditing.sections import list_sections, overview
from biassay.auditing.trust import UNJUDGED
from biassay.core import registry
from biassay.measurement import metric as metrics
from biassay.report.formatting import metric_label
from biassay.report.rendering import render_page
from biassay.vectors.encoders.sources import split

SCHEMA_VERSION = "0.3.0"  # of https://github.com/evaleval/every_eval_ever, every_eval_ever/schemas/eval.schema.json
# options of the command line
DEFAULTS = {"permutations": 999, "resamples": 200, "random_words": 199, "seed": 1, "language": "en", "prompt": None,
            "pooling": None}  # fmt: skip
OWN_TESTS, OWN_PAIRS, OWN_METRIC = "YOUR_TESTS.yaml", "YOUR_PAIRS.csv", "YOUR_METRIC.py"
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
MARKUP = re.compile(r"([\\`*_{}\[\]<>|#])")
DETAILS = ["value", "ci_low", "ci_high", "b_0", "direction", "finding", "reason", "p_corrected", "p_random_corrected",
           "min_detectable_effect", "cluster", "n_words", "verdict"]  # fmt: skip


def model_card(audit: Audit) -> str:
    """Return a section for a model card, in Markdown: tests, findings, caveats, and the command."""
    summary = list(audit.summary.itertuples())
    context = {
        "audit": audit,
        "overviews": {source["name"]: overview(audit, source["name"]) for source in audit.sources},
        "tests": list_sections(audit),
        "rows": [(row, audit.lists.query("test == @row.test and source == @row.source")) for row in summary],
        "association": ASSOCIATION,
        "numbers": numbers,
        "command": _one_line(command(audit)),
        "plain": lambda text: MARKUP.sub(r"\\\1", _one_line(text)),
    }
    return render_page("model_card.md", context, package="biassay.auditing") + "\n"


def _one_line(text: object) -> str:
    """Return a text without line breaks and control characters."""
    return " ".join(CONTROL.sub(" ", str(text)).split())


def command(audit: Audit) -> str:
    """Return the command of an audit; paths of sources, of own tests, pairs and metrics are left to the reader."""
    names = audit.summary["test"].str.removesuffix(BARE).unique()
    shipped, metrics = shipped_tests(audit.settings["language"]), registry.names("metrics")
    tests = dict.fromkeys(name if name in shipped else OWN_TESTS for name in names if name not in audit.pair_tests)
    local = [about.get("address", about["name"]) for about in audit.sources if "service" not in about]
    services = [item for about in audit.sources for item in about.get("service", {}).items()]
    parts = ["biassay", "audit", *local, *(part for option, value in services for part in (f"--{option}", str(value)))]
    parts += ["--tests", *tests]
    parts += ["--pairs", OWN_PAIRS] if audit.pair_tests else []
    for metric in set(audit.words["metric"]) - {"same"}:
        parts += ["--rank-by", metric if metric in metrics else OWN_METRIC]
    used = [name for name in audit.trust["metric"] if name in metrics]
    parts += ["--own-metric", OWN_METRIC] * (len(audit.trust) - len(used))
    if len(used) < len(metrics):
        parts += ["--metrics", *used]
    for option, default in DEFAULTS.items():
        if audit.settings.get(option, default) != default:
            parts += [f"--{option.replace('_', '-')}", str(audit.settings[option])]
    return shlex.join(parts)


def every_eval_ever(audit: Audit, source: str | None = None, *, organization: str = "unknown") -> dict:
    """Return the record of one source, as Audit.every_eval_ever does."""
    names = [about["name"] for about in audit.sources]
    if source is None and len(names) > 1:
        raise ValueError(f"source: the audit has {len(names)}; name one of: {', '.join(names)}")
    registry.check_names("source", [source or names[0]], names, "source")
    about = audit.sources[names.index(source or names[0])]
    model = split(about.get("address", about["name"]))[1]  # no path of this machine
    encoding = {key: about[key] for key in ("kind", "encoder", "dimensions") if key in about} | about.get("service", {})
    results = list(_results(audit, about["name"]))
    digest = hashlib.sha256(json.dumps([audit.settings, results], sort_keys=True).encode()).hexdigest()[:16]
    return {
        "schema_version": SCHEMA_VERSION,
        "evaluation_id": f"biassay/{model}/{digest}",
        "retrieved_timestamp": str(int(time.time())),
        "source_metadata": {
            "source_name": "biassay audit",
            "source_type": "evaluation_run",
            "source_organization_name": organization,
            "evaluator_relationship": "other",
        },
        "eval_library": {
            "name": "biassay",
            "version": audit.settings["version"],
            "additional_details": {key: str(value) for key, value in audit.settings.items() if value is not None},
        },
        "model_info": {
            "name": about["name"],
            "id": model,
            "additional_details": {
                "deployment_type": "unknown",
                "model_availability": "unknown",
                **{key: str(value) for key, value in encoding.items()},
            },
        },
        "evaluation_results": results,
    }


def _results(audit: Audit, source: str) -> Iterator[dict]:
    """Yield a result per test and metric that compares groups with targets: the distance of its value from b_0."""
    for sections in list_sections(audit).values():
        for section in (one for one in sections if one.source == source):
            lists = {row.list: f"{row.n_used} of {row.n_words} words, {row.side}" for row in section.lists.itertuples()}
            unit = "words" if lists else "pairs"
            data = {
                "dataset_name": f"{'biassay word lists' if lists else 'sentence pairs'}: {section.title}",
                "source_type": "other",
                "additional_details": lists,
            }
            rows = section.metrics[section.metrics["sides"] == ASSOCIATION].dropna(subset=["value", "b_0"])
            for row in rows.fillna({"verdict": UNJUDGED}).itertuples():
                yield {
                    "evaluation_result_id": f"{section.test}/{row.metric}/{row.level.replace(' ', '_')}",
                    "evaluation_name": f"biassay.{section.test}",
                    "source_data": data,
                    "metric_config": _metric_config(row),
                    "score_details": _score_details(row, audit.settings["resamples"], unit),
                }


def _metric_config(row: tuple) -> dict:
    ends = [abs(end - row.b_0) for end in (row.b_min, row.b_max) if not pd.isna(end)]
    shipped = row.metric in registry.names("metrics")
    summary = metrics.load(row.metric).METRIC.summary if shipped else f"metric {row.metric}"
    level, name = ("", row.metric) if row.level == SET else (f", {row.level}", f"{row.metric}.{row.level}")
    return {
        "evaluation_description": summary + level,
        "metric_id": f"biassay.{name.replace(' ', '_')}.distance",
        "metric_name": f"{metric_label(row.metric)}{level}, distance from its value without bias",
        "metric_kind": "association",
        "lower_is_better": True,
        "score_type": "continuous",
        "min_score": 0.0,
        "max_score": float(max(ends)) if len(ends) == 2 else "Infinity",
    }


def _score_details(row: tuple, resamples: int, unit: str) -> dict:
    """Return the distance, its interval where the value's gives one, and the value with its finding as texts."""
    details = {key: str(value) for key in DETAILS if (value := getattr(row, key)) != "" and not pd.isna(value)}
    details[f"n_{unit}"] = details.pop("n_words")
    score = {"score": float(abs(row.value - row.b_0)), "details": details}
    low, high = row.ci_low - row.b_0, row.ci_high - row.b_0
    if low * high > 0:  # on one side of b_0
        lower, upper = sorted([float(abs(low)), float(abs(high))])
        interval = {"lower": lower, "upper": upper, "confidence_level": 0.95, "method": f"bootstrap over {unit}"}
        score["uncertainty"] = {"confidence_interval": interval, "num_bootstrap_samples": resamples}
    return score

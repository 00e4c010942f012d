"""The result of an audit: its tables, printed, written to files and read back."""

import json
import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd

from biassay.core import guard

MARK = "biassay audit"
FORMAT = 9
TABLES = {  # columns by table; results.yaml describes them
    "table": [
        "source", "test", "metric", "level", "sides", "scored", "value", "ci_low", "ci_high", "b_min", "b_max", "b_0",
        "signed", "direction", "p", "p_corrected", "min_p_value", "permutation_test", "random_q95", "p_random",
        "p_random_corrected", "min_detectable_effect", "robustness", "share_needed", "variant_low", "variant_high",
        "n_words", "cluster", "finding", "reason",
    ],
    "words": ["source", "test", "metric", "word", "list", "value", "b_0", "rank", "nearer_group", "sensitive"],
    "lists": [
        "source", "test", "side", "list", "n_words", "n_used", "n_missing", "median_rank", "missing_words", "sensitive",
    ],
    "silhouettes": [
        "n_words", "min", "max", "mean", "q05", "q25", "q75", "q95", "n_undefined", "growing", "source", "test",
        "metric",
    ],
    "nulls": ["source", "test", "metric", "level", "null", "quantile", "distance"],
    "variants": ["source", "test", "metric", "variant", "value"],
    "trust": ["metric", "verdict", "reasons", "false_positive_rate"],
    "warning_table": ["source", "test", "kind", "text"],
    "summary": [
        "source", "test", "title", "finding", "n_words", "n_asked", "n_metrics", "n_found", "n_counted",
        "n_counted_found", "verdict", "found_by", "direction", "conclusion",
    ],
    "skipped": ["source", "test", "metric", "reason"],
    "calibration": [
        "source", "test", "metric", "form", "min_false_positive_rate", "max_false_positive_rate",
        "min_detectable_dose", "dose_low", "dose_high", "max_dose", "effect", "recovery", "recovery_low",
        "recovery_high",
    ],
}  # fmt: skip
FILES = {name: f"{name}.csv" for name in TABLES} | {"table": "metrics.csv", "warning_table": "warnings.csv"}
PAGE, MACHINE, MODEL_CARD, EVERY_EVAL_EVER = "index.html", "audit.json", "model_card.md", "every_eval_ever.json"
WARNINGS = (
    "few words",
    "missing",
    "reading",
    "grammatical gender",
    "controls",
    "overlap",
    "variants",
    "frequency",
    "random words",
    "few random words",
    "too few",
    "not tested",
    "power",
    "ranks",
    "sentences",
)  # fmt: skip - kinds, the most important one first
PLACES = {kind: place for place, kind in enumerate(WARNINGS)}
OWN = (*FILES.values(), PAGE, MACHINE, MODEL_CARD, EVERY_EVAL_EVER)


@dataclass(frozen=True)
class Audit:
    """The audit of one or more sources of vectors.

    Attributes
    ----------
    table : one row per source, test and metric.
    summary : one row per source and test, with the conclusion in words.
    words : the ranking of the target words.
    lists : numbers of used and missing words.
    silhouettes : one row per metric and number of words.
    nulls : quantiles of the distances from no bias under permutation and with random words, or neutral sentences.
    variants : values with single sentences, other prompts and other poolings, one row each.
    trust : the board's verdict on each metric.
    warning_table : warnings in words, by source and test.
    skipped : tests and metrics that were not run, with the reason.
    calibration : with `calibrate`, false positives and detectable doses, one row per metric and form of dose.
    sources : what was read, and for an embedding service its prompt and dimensions.
    settings : numbers of samples, the seed, the language, and the arguments prompt and pooling.
    """

    table: pd.DataFrame
    summary: pd.DataFrame
    words: pd.DataFrame
    lists: pd.DataFrame
    silhouettes: pd.DataFrame
    nulls: pd.DataFrame
    variants: pd.DataFrame
    trust: pd.DataFrame
    warning_table: pd.DataFrame
    skipped: pd.DataFrame
    calibration: pd.DataFrame
    sources: list[dict] = field(default_factory=list)
    settings: dict = field(default_factory=dict)

    @property
    def pair_tests(self) -> set[str]:
        """Names of the tests of sentence pairs, which have no lists of words."""
        return set(self.summary["test"]) - set(self.lists["test"])

    @property
    def warnings(self) -> list[str]:
        """Warnings in words, each with its sources and test."""
        return [
            f"{place}: {text}" if (place := ", ".join(filter(None, (sources, test)))) else text
            for test, sources, text in self.joint_warnings()
        ]

    def joint_warnings(self) -> list[tuple[str, str, str]]:
        """Return test, sources ("" for an audit of one source) and text of the warnings, equal ones once.

        Those of tests that find nothing come last, if another one finds an association; then by the order of WARNINGS.
        """
        is_found = self.summary["n_counted_found"] > 0
        others = set(self.summary["test"]) - set(self.summary.loc[is_found, "test"]) if is_found.any() else set()
        table = self.warning_table.assign(
            is_other=self.warning_table["test"].isin(others), place=self.warning_table["kind"].map(PLACES)
        ).sort_values(["is_other", "place"], kind="stable")
        by_text = table.groupby(["test", "text"], sort=False)["source"].agg("; ".join)
        return [(test, sources if len(self.sources) > 1 else "", text) for (test, text), sources in by_text.items()]

    def __str__(self) -> str:
        from biassay.auditing import terminal

        return terminal.render(self)

    def _repr_html_(self) -> str:
        return self.summary.to_html(index=False) + self.table.to_html(index=False, float_format="{:.3g}".format)

    def write(self, folder: str | Path, *, allow_other_files: bool = False, show_words: bool = False) -> Path:
        """Write the page, the tables as CSV, everything as JSON, and both exports to a folder.

        Parameters
        ----------
        folder : a new or empty folder, or one that holds an audit, which is replaced once all files are complete.
        allow_other_files : whether the folder may hold other files too.
        show_words : whether the page shows people's names and slurs of biassay's word lists. The tables always do.

        Returns
        -------
        The path of the page.

        Raises
        ------
        ValueError
            If the folder holds other files.
        """
        from biassay.auditing import page

        folder = Path(folder)
        if not allow_other_files:
            check_folder(folder)
        with drafting(folder) as written:
            for name, file in FILES.items():
                getattr(self, name).to_csv(written / file, index=False, float_format="%.6g")
            (written / MACHINE).write_text(json.dumps(self.as_json(), allow_nan=False) + "\n", "utf-8")
            (written / PAGE).write_text(page.render(self, show_words=show_words), "utf-8", errors="replace")
            (written / MODEL_CARD).write_text(self.model_card(), "utf-8", errors="replace")
            if len(self.sources) == 1:
                (written / EVERY_EVAL_EVER).write_text(
                    json.dumps(self.every_eval_ever(), indent=1, allow_nan=False) + "\n", "utf-8"
                )
        if len(self.sources) > 1:
            (folder / EVERY_EVAL_EVER).unlink(missing_ok=True)  # of an earlier audit
        return folder / PAGE

    def model_card(self) -> str:
        """Return a section for a model card, in Markdown: tests, findings, caveats, and the command.

        It never has people's names and slurs of biassay's word lists.
        """
        from biassay.auditing import exports

        return exports.model_card(self)

    def every_eval_ever(self, source: str | None = None, *, organization: str = "unknown") -> dict:
        """Return the record of a source in the schema of Every Eval Ever, version 0.3.0.

        Parameters
        ----------
        source : name of the source; needed if there are several.
        organization : who ran the audit.

        Returns
        -------
        One result per test and metric that compares groups with targets. A score is the distance of the value from the
        metric's value without bias, because the schema says of each score whether lower is better; the value itself is
        among the details.

        Raises
        ------
        ValueError
            If the source is unknown, or missing while there are several.
        """
        from biassay.auditing import exports

        return exports.every_eval_ever(self, source, organization=organization)

    def as_json(self) -> dict:
        """Return everything as plain values, with null for missing and infinite numbers."""
        tables = {name: _records(getattr(self, name)) for name in TABLES}
        return {"is": MARK, "format": FORMAT, "sources": self.sources, "settings": self.settings, **tables}


@contextmanager
def drafting(folder: Path) -> Iterator[Path]:
    """Give an empty folder, whose files replace those of the same name in `folder` if the block succeeds."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}.") as draft, guard.naming(folder):
        yield Path(draft)
        folder.mkdir(exist_ok=True)
        for file in sorted(Path(draft).iterdir()):
            os.replace(file, folder / file.name)


def check_folder(folder: str | Path) -> None:
    """Raise ValueError unless a folder does not exist, is empty, or holds the files of an audit and nothing else."""
    folder = Path(folder)
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{folder}: expected a folder for the audit, but this is a file")
    names = sorted(file.name for file in folder.iterdir()) if folder.exists() else []
    others = [name for name in names if name not in OWN]
    if others or (names and MACHINE not in names):
        raise ValueError(f"{folder}: holds {(others or names)[0]}, which no audit wrote; name a new or empty folder")


def read(folder: str | Path) -> Audit:
    """Read an audit that `Audit.write` wrote; raises ValueError, naming the file, for anything else."""
    file = Path(folder) / MACHINE
    with guard.reading(file, "audit"):
        content = json.loads(file.read_text("utf-8"))
        if content["is"] != MARK or content["format"] != FORMAT:
            raise ValueError(f"{file}: not an audit of this version of biassay; run the audit again")
        tables = {name: pd.DataFrame(content[name]["rows"], columns=content[name]["columns"]) for name in TABLES}
        tables = {name: table.where(table.notna(), np.nan).infer_objects() for name, table in tables.items()}
        for name, table in tables.items():
            for row, column in content[name]["infinite"]:
                table.loc[row, column] = np.inf
        return Audit(**tables, sources=content["sources"], settings=content["settings"])


def join(audits: Iterable[Audit]) -> Audit:
    """Join audits of different sources, with the settings of the first; raises ValueError if a name occurs twice."""
    audits = list(audits)
    names = [source["name"] for audit in audits for source in audit.sources]
    if len(set(names)) < len(names):
        raise ValueError(f"audits: two sources have the same name: {', '.join(names)}")
    tables = {name: pd.concat([getattr(audit, name) for audit in audits], ignore_index=True) for name in TABLES}
    tables["trust"] = tables["trust"].drop_duplicates("metric", ignore_index=True)
    sources = [source for audit in audits for source in audit.sources]
    return Audit(**tables, sources=sources, settings=audits[0].settings)


def _records(table: pd.DataFrame) -> dict:
    """Return the columns and rows of a table, and the cells with infinite numbers, which JSON cannot express."""
    is_infinite = table.isin([np.inf, -np.inf])
    rows = table.astype(object).where(table.notna() & ~is_infinite, None).to_numpy().tolist()
    infinite = [[int(row), table.columns[column]] for row, column in np.argwhere(is_infinite.to_numpy())]
    return {"columns": list(table.columns), "rows": rows, "infinite": infinite}

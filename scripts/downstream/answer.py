"""Answer the study's question: do bias scores predict downstream bias? Sentences, and tables in HTML."""

from pathlib import Path

from biassay.core import scripts
from biassay.report.findings import write_findings
from biassay.report.rendering import render_page
from biassay.studies.downstream import findings, tables


def main(
    models: str, classifiers: str, shares: str, ranking: str, correlations: str, sets: str, robustness: str,
    titles: str, page_out: str, findings_out: str,
) -> None:  # fmt: skip
    paths = {"models": models, "classifiers": classifiers, "shares": shares, "ranking": ranking,
             "correlations": correlations, "sets": sets, "robustness": robustness, "titles": titles}  # fmt: skip
    results = {name: tables.read(path) for name, path in paths.items()}
    found = list(findings.find(results))
    write_findings(found, findings_out)
    context = results | {
        "verdicts": [finding.sentence for finding in found],
        "correlations": findings.select_correlations(results["correlations"]),
        "sets": findings.select_shown(results["sets"]),
        **findings.summarise_learning(results["models"]),
    }
    page = render_page("answer.html", context, package="biassay.studies.downstream")
    Path(page_out).write_text(page, "utf-8")


if __name__ == "__main__":
    scripts.run(main, snakemake)

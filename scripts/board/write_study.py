"""Write the page of a study: its verdicts, charts, figures, tables and configuration."""

from pathlib import Path

from biassay.core import scripts
from biassay.report import study as pages
from biassay.report.charts import make_charts
from biassay.report.findings import read_findings
from biassay.report.rendering import write_page
from biassay.report.results import find_results


def main(
    study: str, files: list[str], questions: dict[str, str], config: object, seed: int,
    out: str,
) -> None:  # fmt: skip
    results = find_results(study, files)
    findings = [path for path in files if Path(path).parts[-2:] == (study, "findings.csv")]
    context = pages.make_context(
        study,
        results,
        questions=questions,
        verdicts=read_findings(findings[0]) if findings else [],
        charts=make_charts(study, results),
        config=config,
        seeds=config if study == "seeds" else [seed],
        page=Path(out),
    )
    write_page(out, "study.html", context)


if __name__ == "__main__":
    scripts.run(main, snakemake, files=list(snakemake.input.results))

"""Write the page of a study: its verdicts, answer, figures, charts, tables and configuration."""

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
    by_name = {Path(path).name: path for path in files if Path(path).parent.name == study}
    answer = Path(by_name["answer.html"]) if "answer.html" in by_name else None
    context = pages.make_context(
        study,
        [result for result in results if result.file != answer],
        questions=questions,
        findings=read_findings(by_name.get("findings.csv")),
        answer=answer.read_text("utf-8") if answer else None,
        charts=make_charts(study, results),
        config=config,
        seeds=config if study == "seeds" else [seed],
        page=Path(out),
    )
    write_page(out, "study.html", context)


if __name__ == "__main__":
    scripts.run(main, snakemake, files=list(snakemake.input.results))

"""Write the page of a study: its verdicts, answer, figures, charts, tables and configuration."""

from pathlib import Path

from biassay.pages import study as pages
from biassay.pages.rendering import write_page
from biassay.pages.results import find_results
from biassay.pages.study_charts import make_charts
from biassay.support import logs


def main(
    study: str, files: list[str], declarations: list[dict], questions: dict[str, str], config: object, seed: int,
    out: str,
) -> None:  # fmt: skip
    results = find_results(files, declarations)
    by_name = {Path(path).name: path for path in files if Path(path).parent.name == study}
    answer = Path(by_name["answer.html"]) if "answer.html" in by_name else None
    context = pages.make_context(
        study,
        [result for result in results if result.file != answer],
        questions=questions,
        findings=pages.read_findings(by_name.get("findings.csv")),
        answer=answer.read_text("utf-8") if answer else None,
        charts=make_charts(study, results),
        config=config,
        seed=seed,
        page=Path(out),
    )
    write_page(out, "study.html", context)


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        study=snakemake.wildcards.study,
        files=list(snakemake.input.results),
        declarations=snakemake.params.declarations,
        questions=snakemake.params.questions,
        config=snakemake.params.config,
        seed=snakemake.params.seed,
        out=snakemake.output[0],
    )

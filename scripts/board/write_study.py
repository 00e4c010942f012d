"""Write the page of a study: its verdicts, answer, figures, charts, tables and configuration."""

from pathlib import Path

from biassay.pages import explored, render, shown
from biassay.pages import study as pages
from biassay.support import logs


def main(
    study: str, results: list[str], declared: list[dict], questions: dict[str, str], config: object, seed: int, out: str
) -> None:
    found = shown.find(results, declared)
    by_name = {Path(path).name: path for path in results if Path(path).parent.name == study}
    answer = Path(by_name["answer.html"]) if "answer.html" in by_name else None
    context = pages.context(
        study,
        [result for result in found if result.file != answer],
        questions=questions,
        said=pages.findings(by_name.get("findings.csv")),
        answer=answer.read_text("utf-8") if answer else None,
        charts=explored.find(study, found),
        config=config,
        seed=seed,
        page=Path(out),
    )
    render.write(out, "study.html", context)


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        study=snakemake.wildcards.study,
        results=list(snakemake.input.results),
        declared=snakemake.params.shown,
        questions=snakemake.params.questions,
        config=snakemake.params.config,
        seed=snakemake.params.seed,
        out=snakemake.output[0],
    )

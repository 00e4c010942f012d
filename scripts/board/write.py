"""Write the first page of the site of results: what came out, the board, and the way to the studies."""

from pathlib import Path

from biassay.pages import render, shown
from biassay.pages import study as pages
from biassay.studies.board import page
from biassay.studies.board.board import read
from biassay.studies.board.said import sentences
from biassay.support import logs


def main(
    board: str, files: list[str], declared: list[dict], findings: list[str], found: list[str],
    questions: dict[str, str], reference: str, seed: int, out: str,
) -> None:  # fmt: skip
    table = read(board)
    said = {study: pages.findings(path) for study, path in zip(found, findings, strict=True)}
    context = page.context(table, said, questions, sentences(table, reference), seed)
    context["files"] = pages.files(shown.find(files, declared), Path(out))
    render.write(out, "board.html", context)


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        board=snakemake.input.board,
        files=list(snakemake.input.files),
        declared=snakemake.params.shown,
        findings=list(snakemake.input.findings),
        found=snakemake.params.found,
        questions=snakemake.params.questions,
        reference=snakemake.params.reference,
        seed=snakemake.params.seed,
        out=snakemake.output[0],
    )

"""Write the first page of the site of results: verdicts of all studies, the board, and links to the studies."""

from pathlib import Path

from biassay.core import scripts
from biassay.report import study as pages
from biassay.report.findings import read_findings
from biassay.report.rendering import write_page
from biassay.report.results import find_results
from biassay.studies.board import page
from biassay.studies.board.board import read_board


def main(
    board: str, files: list[str], findings: list[str], studies: list[str],
    questions: dict[str, str], reference: str, seed: int, out: str,
) -> None:  # fmt: skip
    table = read_board(board)
    by_study = {study: read_findings(path) for study, path in zip(studies, findings, strict=True)}
    shown = [pages.describe_file(result, Path(out)) for result in find_results("board", files)]
    context = page.make_context(table, by_study, questions, reference, seed, shown)
    write_page(out, "board.html", context, package="biassay.studies.board")


if __name__ == "__main__":
    scripts.run(main, snakemake)

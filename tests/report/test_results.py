"""Descriptions of results: which files are on the site, and what columns of tables mean."""

from pathlib import Path

import pytest

from biassay.report import results
from biassay.report.results import Column


@pytest.fixture
def described(tmp_path, monkeypatch):
    """Descriptions of two folders and of common columns."""
    texts = {
        "results.yaml": "columns: {'r, r2': number | 0 to 1 | correlation}\n",
        "same/results.yaml": (
            "shown:\n  same/figures/{word}.svg: Of {word} | A figure of {word}.\n"
            "  same/tables/words.csv: Words | All | of\n"
            "tables:\n  same/{metric}/x.csv: scores\n"
            "columns: {r: string | | letter, '{group}_n': integer | words | size}\n"
        ),
        "seeds/results.yaml": (
            "shown: {'seeds/{path}/summary.csv': '{path} | Means'}\ncolumns: {mean: number | | mean}\n"
        ),
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(results, "PACKAGE", tmp_path)
    monkeypatch.setattr(results, "COMMON", tmp_path / "results.yaml")
    clear()
    yield tmp_path
    clear()


def clear():
    for cached in (results.read_descriptions, results.read_columns, results._read_files):
        cached.cache_clear()


def test_results_on_the_site_are_in_the_order_of_their_descriptions(described):
    files = ["results/same/tables/words.csv", "results/same/figures/b.svg", "/x/results/seeds/2/same/figures/a.svg"]
    others = ["results/same/weat/x.csv", "results/same/figures/more/c.svg", "results/same/tables/words.csv.old"]
    figure, other, table = results.find_results("same", files + others)
    assert (figure.file, figure.name, figure.kind) == (Path(files[1]), "figures/b", "figure")
    assert (figure.title, figure.caption, figure.wildcards) == ("Of b", "A figure of b.", {"word": "b"})
    assert other.file == Path(files[2])
    assert (table.kind, table.title, table.caption) == ("table", "Words", "All | of")
    assert results.find_results("seeds", files) == []
    (means,) = results.find_results("seeds", ["results/seeds/same/weat/x/summary.csv"])
    assert (means.title, means.name) == ("same/weat/x", "same/weat/x/summary")


@pytest.mark.parametrize(
    ("path", "name", "column"),
    [
        ("same/weat/x.csv", "r", Column("string", "", "letter")),
        ("same/weat/x.csv", "r2", Column("number", "0 to 1", "correlation")),
        ("seeds/same/weat/x/summary.csv", "mean", Column("number", "", "mean")),
        ("seeds/same/weat/x/summary.csv", "r", Column("string", "", "letter")),
        ("board/seeds.csv", "women_n", Column("integer", "words", "size")),
        ("same/new.csv", "women_n", None),
    ],
)
def test_a_column_is_described_by_its_study_then_by_all(described, path, name, column):
    assert results.find_column(path, name) == column


def test_the_descriptions_of_the_project_are_complete():
    columns = [column for columns in results.read_columns().values() for column in columns.values()]
    assert len(columns) > 300
    for description in results.read_descriptions().values():
        assert description.caption
        suffix = Path(description.pattern).suffix
        assert suffix in results.KINDS if description.title else suffix == ".csv"

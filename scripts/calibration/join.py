"""Join the calibrations of all models with all tests."""

from pathlib import Path

from biassay.calibration import models, result
from biassay.core import scripts


def main(calibrations: list[str], calibration: str, skipped: str) -> None:
    found = [result.read(Path(file).parent) for file in calibrations]
    for table, path in ((models.join(found), calibration), (models.join_skipped(found), skipped)):
        table.to_csv(path, index=False, float_format="%.6g")


if __name__ == "__main__":
    scripts.run(main, snakemake)

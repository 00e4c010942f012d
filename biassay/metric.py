"""What a metric declares about itself."""

from dataclasses import dataclass

TAKES = ("vectors", "associations")


@dataclass(frozen=True)
class Metric:
    """Declaration of a metric, the constant METRIC of its file.

    summary: what it measures, in a line. source: paper and equation. takes: "vectors" of targets and attribute words,
    or "associations", explicit values e_{w:c} with their lengths. b_min, b_max: bounds of the bias (None: unbounded);
    b_0: its value without bias. signed: whether the sign names a group.
    """

    summary: str
    source: str
    takes: str
    b_min: float | None
    b_max: float | None
    b_0: float = 0.0
    signed: bool = True

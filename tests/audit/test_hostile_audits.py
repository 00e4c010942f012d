"""What a user's files and folders can do to an audit: one error that names them, and nothing of theirs is lost."""

import pytest

from biassay.auditing import entry
from tests.audit.conftest import QUICK
from tests.audit.test_entry import OWN


@pytest.mark.bad_input("a metric of one's own", "one error; file and line are named, and no input is changed")
@pytest.mark.parametrize("processes", [1, 2])
def test_a_metric_that_ends_its_process_is_told(files, tmp_path, processes):
    head = "def set_bias(targets, attributes):"
    ends = "raise SystemExit" if processes == 1 else "import os; os._exit(0)"
    (tmp_path / "mine.py").write_text(OWN.replace(head, f"{head}\n    {ends}"))
    with pytest.raises(ValueError, match=r"mine\.py"):
        entry.audit(
            files[0], tests=[str(files[2])], metrics=["mac"], own_metrics=[tmp_path / "mine.py"],
            processes=processes, **QUICK,
        )  # fmt: skip

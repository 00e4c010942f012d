"""Any damage to a small file of any format: it reads as what it should be, or ends in one error that names the file."""

import logging
import resource
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests import hostile

PIECES = (b"\0", b"\n", b" ", b"\xff\xfe", b"<!--", b"[[", b"{", b"1000000000 ", b"-1", b"nan", b"1e999", b'"', b"\r")
EDIT = st.tuples(st.sampled_from(["cut", "set", "drop", "insert"]), st.floats(0, 1), st.integers(0, 1 << 16))


def broken(content, edits):
    """Return content after edits: what is done, a position from 0 to 1, and a number."""
    for what, place, number in edits:
        at = int(place * len(content))
        before, after = content[:at], content[at:]
        if what == "cut":
            content = before
        elif what == "set":
            content = before + bytes([number % 256]) + after[1:]
        elif what == "drop":
            content = before + after[1 + number % 40 :]
        else:
            content = before + PIECES[number % len(PIECES)] + after
    return content


@pytest.mark.parametrize("kind", hostile.KINDS)
def test_damage_is_read_or_named(tmp_path, kind):
    """Within two seconds and 300 MB; what is read is checked by the reader of its kind."""
    if kind == "model":
        pytest.importorskip("torch")
    read = hostile.KINDS[kind][1]
    path = hostile.make(kind, tmp_path)
    whole = {file: file.read_bytes() for file in (sorted(path.iterdir()) if path.is_dir() else [path])}
    read(path)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    @settings(max_examples=8, database=None, suppress_health_check=list(HealthCheck))
    @given(st.integers(0, 9), st.lists(EDIT, min_size=1, max_size=4))
    def hurt(choice, edits):
        for file, content in whole.items():
            file.write_bytes(content)
        file = list(whole)[choice % len(whole)]
        file.write_bytes(broken(whole[file], edits))
        start, fault = time.process_time(), None
        try:
            read(path)
        except (ValueError, OSError) as error:
            fault = error
        assert fault is None or str(path) in str(fault), fault
        assert time.process_time() - start < 2

    logging.disable(logging.WARNING)
    try:
        hurt()
    finally:
        logging.disable(logging.NOTSET)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 300_000

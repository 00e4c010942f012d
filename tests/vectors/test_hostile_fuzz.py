"""Any damage to a small file of any format: it reads as what it should be, or ends in one error that names the file."""

import bz2
import gzip
import logging
import lzma
import re
import resource
import subprocess
import sys
import time

import h5py
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests import damage, hostile
from tests.running import ROOT

pytestmark = pytest.mark.bad_input(
    "files damaged at random (hypothesis, some examples per format)", "read correctly, or one error that names the file"
)

EDIT = st.tuples(st.sampled_from(damage.EDITS), st.floats(0, 1), st.integers(0, 1 << 16))


def raised(read, path):
    try:
        read(path)
    except (ValueError, OSError) as error:
        return error
    return None


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

    @settings(max_examples=25, database=None, suppress_health_check=list(HealthCheck))
    @given(st.integers(0, 9), st.lists(EDIT, min_size=1, max_size=4))
    def hurt(choice, edits):
        for file, content in whole.items():
            file.write_bytes(content)
        damage.break_one(path, choice, edits)
        start = time.process_time()
        fault = raised(read, path)
        assert fault is None or damage.names_it(fault, path), fault
        assert time.process_time() - start < 2

    logging.disable(logging.WARNING)
    try:
        hurt()
    finally:
        logging.disable(logging.NOTSET)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 300_000


MEMORY = 300_000_000
LIMITED = f"""
import resource, sys
from pathlib import Path
from biassay.corpora import plain_text, wikipedia
from biassay.vectors.readers import read_vectors

def text(path):
    for block, _ in plain_text.read_blocks(path):
        plain_text.split_words(block)

def dump(path):
    wikipedia.extract([path], path + ".txt")

folder = Path(sys.argv[1])
(folder / "small.txt").write_text("a 1 2")
(folder / "small.h5").write_bytes((folder / "whole").read_bytes())
for name in ("small.txt", "small.h5"):  # so that what is imported late is there
    read_vectors(folder / name)
text(folder / "small.txt")
used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + {MEMORY}, used + {MEMORY}))
for line in sys.argv[2:]:
    name, _, kind = line.partition("=")
    try:
        dict(vectors=read_vectors, text=text, dump=dump)[kind](str(folder / name))
    except ValueError as error:
        print(error)
"""
A = b"a " * (1 << 19)
BOMBS = {
    "header.txt": (b"3 1000000000\n" + b"a 1\n" * 1000, "vectors", "got 1000000000 dimensions"),
    "header.bin": (b"3 1000000000\na " + bytes(99), "vectors", "got 1000000000 dimensions"),
    "count.bin": (b"1000000000000 3\na " + bytes(99), "vectors", "broken or truncated"),
    "zeros.npz": (hostile.npz(vectors=np.zeros((7, 10**6))), "vectors", "'vectors' claims 56,000,128 bytes"),
    "fill.h5": (None, "vectors", "claims 27,000,000 bytes"),
    "zeros.xz": (lzma.compress(bytes(1 << 20)) * 400, "vectors", "expected text or word2vec's binary"),
    "line.gz": (gzip.compress(A) * 400, "vectors", "line 1: .*more than 4,194,304 bytes"),
    "words.bz2": (bz2.compress(b"a 1 2\nb 3 4\n" * 9000) * 400, "vectors", "unpacks to more than 100 times its size"),
    "text.xz": (lzma.compress(A) * 100, "text", "unpacks to more than 100 times its size"),
    "zeros.txt.bz2": (bz2.compress(bytes(1 << 20)) * 400, "text", "unpacks to more than 100 times its size"),
    "tag.xml.gz": (gzip.compress(b"<" + A) + gzip.compress(A) * 400, "dump", "ExpatError|a tag of more than"),
}


def test_bombs_take_little_memory(tmp_path):
    (tmp_path / "whole").write_bytes(hostile.hdf())
    for name, (content, _, _) in BOMBS.items():
        (tmp_path / name).write_bytes(content or b"")
    with h5py.File(tmp_path / "fill.h5", "w") as file:  # as pandas lays them out, three million rows of nothing
        file["mat/axis0"] = np.arange(300)
        file.create_dataset("mat/axis1", (3 * 10**6,), "S9", chunks=(1000,), fillvalue=b"/c/en/a")
        file.create_dataset("mat/block0_values", (3 * 10**6, 300), "i1", chunks=(1000, 300), fillvalue=1)
    command = [
        sys.executable,
        "-c",
        LIMITED,
        str(tmp_path),
        *(f"{name}={kind}" for name, (_, kind, _) in BOMBS.items()),
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    for line, (name, (_, _, message)) in zip(done.stdout.splitlines(), BOMBS.items(), strict=True):
        assert line.startswith(str(tmp_path / name))
        assert re.search(message, line), line

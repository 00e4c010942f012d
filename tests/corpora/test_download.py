"""Downloads, from a server on this machine that behaves badly."""

import hashlib
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from biassay.corpora import download

CONTENT = bytes(range(256)) * 8000
RIGHT = "sha256:" + hashlib.sha256(CONTENT).hexdigest()


class Server(ThreadingHTTPServer):
    """Serves CONTENT. `breaks`: bytes after which answers break off; `errors`: statuses given first."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.content, self.breaks, self.errors, self.requests = CONTENT, [], [], []
        self.ranges, self.tag = True, '"one"'
        self.part = None  # of an answer that continues: headers, first byte and end, by the byte that is asked for
        self.moved = []
        self.url = f"http://127.0.0.1:{self.server_port}/dump.xml"


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        server, content = self.server, self.server.content
        wanted = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
        server.requests.append(int(wanted[1]) if wanted else 0)
        if server.moved:
            self.send_response(302)
            self.send_header("Location", server.moved.pop(0))
            self.end_headers()
            return
        if server.errors:
            self.send_error(server.errors.pop(0))
            return
        continues = server.ranges and wanted and self.headers.get("If-Range") == server.tag
        start = int(wanted[1]) if continues else 0
        if start >= len(content):
            self.send_response(416)
            self.send_header("Content-Range", f"bytes */{len(content)}")
            self.end_headers()
            return
        self.send_response(206 if continues else 200)
        if continues:
            headers, start, end = server.part(start) if server.part else ({}, start, len(content))
            content = content[:end]
            for name, value in ({"Content-Range": f"bytes {start}-{end - 1}/{len(server.content)}"} | headers).items():
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(content) - start))
        if server.ranges:
            self.send_header("Accept-Ranges", "bytes")
            self.send_header("ETag", server.tag)
        self.end_headers()
        stop = start + server.breaks.pop(0) if server.breaks else len(content)
        self.wfile.write(content[start:stop])

    def log_message(self, *arguments):
        pass


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setattr(download, "WAIT", 0.01)
    with Server() as running:
        threading.Thread(target=running.serve_forever, args=(0.01,), daemon=True).start()
        yield running
        running.shutdown()


def left(folder):
    return sorted(path.name for path in folder.iterdir())


def test_downloads_and_checks(server, tmp_path):
    server.errors = [500, 503, 429]
    checksum = f"md5:{hashlib.md5(CONTENT).hexdigest().upper()}"
    assert download.fetch(server.url, tmp_path / "new" / "dump.xml", checksum) == checksum.lower()
    assert (tmp_path / "new" / "dump.xml").read_bytes() == CONTENT
    assert left(tmp_path / "new") == ["dump.xml"]


def test_continues_where_the_server_broke_off(server, tmp_path):
    server.breaks = [700_000] + [100_000] * 8  # more breaks than tries, but each brings something
    download.fetch(server.url, tmp_path / "dump.xml", RIGHT)
    assert (tmp_path / "dump.xml").read_bytes() == CONTENT
    assert len(set(server.requests)) == 10
    assert server.requests[-1] > 1_000_000


@pytest.mark.parametrize("ranges", [True, False])
def test_a_later_run_continues_only_what_the_server_can_continue(server, tmp_path, ranges):
    server.ranges, server.breaks = ranges, [900_000] + [0] * download.MAX_TRIES
    with pytest.raises(ValueError, match=r"download from http.* failed: the connection was interrupted"):
        download.fetch(server.url, tmp_path / "dump.xml", RIGHT)
    assert left(tmp_path) == (["dump.xml.part", "dump.xml.part.mark"] if ranges else [])
    server.breaks, server.requests = [], []
    download.fetch(server.url, tmp_path / "dump.xml", RIGHT)
    assert server.requests == [900_000 // download.CHUNK * download.CHUNK if ranges else 0]
    assert left(tmp_path) == ["dump.xml"]


SIZE = len(CONTENT)
PARTS = {
    "another range than it says": lambda first: ({"Content-Range": f"bytes 7-{SIZE - 1}/{SIZE}"}, first, SIZE),
    "a range of a longer file": lambda first: ({"Content-Range": f"bytes {first}-{SIZE - 1}/{SIZE + 7}"}, first, SIZE),
    "a range of a changed file": lambda first: ({"ETag": '"two"'}, first, SIZE),
    "more than it says": lambda first: ({"Content-Range": f"bytes {first}-{SIZE - 9}/{SIZE}"}, first, SIZE),
    "a packed range": lambda first: ({"Content-Encoding": "identity"}, first, SIZE),
}  # fmt: skip


@pytest.mark.parametrize("part", PARTS)
def test_a_part_that_is_not_the_one_asked_for_is_not_appended(server, tmp_path, part):
    server.part, server.breaks = PARTS[part], [900_000]
    download.fetch(server.url, tmp_path / "dump.xml", "unknown")
    assert (tmp_path / "dump.xml").read_bytes() == CONTENT
    assert server.requests == [0, 900_000 // download.CHUNK * download.CHUNK, 0]
    assert left(tmp_path) == ["dump.xml"]


@pytest.mark.parametrize(
    ("part", "version", "requests"),
    [
        (CONTENT, '"one"', [SIZE]),
        (CONTENT + b"extra", '"one"', [SIZE + 5, 0]),
        (b"of another file", '"another"', [15]),
        (CONTENT[:900], "", [0]),
    ],
)
def test_parts_of_earlier_downloads(server, tmp_path, part, version, requests):
    (tmp_path / "dump.xml.part").write_bytes(part)
    (tmp_path / "dump.xml.part.mark").write_text(version)
    download.fetch(server.url, tmp_path / "dump.xml", RIGHT)
    assert (tmp_path / "dump.xml").read_bytes() == CONTENT
    assert server.requests == requests
    assert left(tmp_path) == ["dump.xml"]


def test_a_file_that_is_there_is_checked_only(server, tmp_path):
    (tmp_path / "dump.xml").write_bytes(CONTENT)
    assert download.fetch(server.url, tmp_path / "dump.xml", RIGHT) == RIGHT
    assert download.fetch(server.url, tmp_path / "dump.xml", "unknown") == RIGHT
    (tmp_path / "dump.xml").write_bytes(b"another")
    with pytest.raises(ValueError, match=r"dump\.xml: expected sha256 "):
        download.fetch(server.url, tmp_path / "dump.xml", RIGHT)
    assert left(tmp_path) == ["dump.xml"]
    assert server.requests == []


def test_offline_says_where_to_put_the_file(monkeypatch, tmp_path):
    monkeypatch.setattr(download, "WAIT", 0.01)
    with pytest.raises(ValueError, match=r"no connection.*offline.*dump\.xml"):
        download.fetch("http://127.0.0.1:9/dump.xml", tmp_path / "dump.xml", RIGHT)
    assert left(tmp_path) == []


def with_password(server):
    return server.url.replace("://", "://me:se%40cret@")


@pytest.mark.parametrize(
    ("errors", "moved", "checksum", "message"),
    [
        ([500] * download.MAX_TRIES, [], RIGHT, "failed: the server answered 500"),
        ([], [], f"sha256:{'0' * 64}", "expected sha256 0"),
        ([404], ["{}?token=secret"], RIGHT, "the server answered 404 Not Found; check the URL"),  # final at once
        ([], ["ftp://me:secret@host/x?secret"] * download.MAX_TRIES, RIGHT, "failed: "),
    ],
)
def test_a_failed_download_leaves_nothing_and_no_message_has_a_password(
    server, tmp_path, caplog, errors, moved, checksum, message
):
    server.errors, server.moved = errors, [to.format(with_password(server)) for to in moved]
    with caplog.at_level("INFO"), pytest.raises(ValueError, match=rf"dump\.xml.*{message}") as raised:
        download.fetch(with_password(server), tmp_path / "dump.xml", checksum)
    assert "cret" not in f"{raised.value} {caplog.text}"
    assert left(tmp_path) == []

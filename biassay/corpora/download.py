"""Downloads that resume after a break and are checked."""

import hashlib
import logging
import re
import time
from pathlib import Path
from typing import NoReturn

import requests

from biassay.support.logs import Progress
from biassay.support.redaction import redact

HASHES = {"md5": 32, "sha1": 40, "sha256": 64}  # with their number of hexadecimal digits
UNKNOWN = "unknown"
TRIES = 6  # in a row without any progress
WAIT = 1.0  # seconds before the second try, doubled before each further one
TIMEOUT = (20, 60)  # seconds to connect, and between two pieces
PIECE = 1 << 16  # bytes; what a broken answer holds of an unfinished piece is lost


class _TransientError(Exception):
    """A failure that may pass, with its reason in words."""


def fetch(url: str, path: str | Path, checksum: str) -> str:
    """Download a file, unless it is there, and check it; its checksum.

    `checksum` is "sha256:…", "sha1:…" or "md5:…", or "unknown", which checks nothing and logs the sha256 to be pinned.
    Breaks, timeouts and errors of the server (5xx, 429) are tried again with growing pauses; other answers raise
    ValueError at once. While the download is not done and checked, only `path`.part exists. It is kept if the server
    can continue it, for the next call, which does so if the server then has the same file still. A wrong checksum
    raises ValueError and leaves nothing of the download.
    """
    name, digest = split_checksum(checksum)
    path = Path(path)
    part, mark = Path(f"{path}.part"), Path(f"{path}.part.mark")
    there = path.exists()
    if not there:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            _persist(url, path, part, mark)
        except BaseException:
            if not mark.exists():
                part.unlink(missing_ok=True)
            raise
        mark.unlink(missing_ok=True)
    with open(path if there else part, "rb") as file:
        found = hashlib.file_digest(file, name).hexdigest()
    if digest and found != digest:
        part.unlink(missing_ok=True)
        remedy = "remove it to download it anew" if there else f"it was removed; is {redact(url)} the right file?"
        raise ValueError(f"{path}: its {name} is {found}, not {digest}; {remedy}")
    if not there:
        part.replace(path)
    if not digest:
        logging.warning("%s was not checked; compare with its publisher and set checksum: %s:%s", path, name, found)
    return f"{name}:{found}"


def split_checksum(checksum: str) -> tuple[str, str]:
    """Name of the hash and its digits in lower case, none if unknown. Raises ValueError for anything else."""
    if checksum == UNKNOWN:
        return "sha256", ""
    name, _, digest = checksum.lower().partition(":")
    if len(digest) != HASHES.get(name) or set(digest) - set("0123456789abcdef"):
        choices = ", ".join(f"{known}:<{length} hexadecimal digits>" for known, length in HASHES.items())
        raise ValueError(f"checksum: {checksum!r} is none; expected one of: {choices}, {UNKNOWN}")
    return name, digest


def _persist(url: str, path: Path, part: Path, mark: Path) -> None:
    """Try until the whole file is in `part`, or TRIES times without progress."""
    tries, most = 0, 0
    while True:
        try:
            _try(url, part, mark)
            return
        except _TransientError as error:
            reason = str(error)
        size = part.stat().st_size if part.exists() else 0
        tries, most = (1, size) if size > most else (tries + 1, most)
        if tries == TRIES:
            raise ValueError(
                f"{path}: cannot be downloaded from {redact(url)} ({reason}). Try again later, or, if this machine is "
                f"offline, get the file on another one and put it at {path}, or where you like and set `path` instead "
                "of `url`"
            )
        pause = WAIT * 2 ** (tries - 1)
        logging.info("%s: %s; trying again in %.0f s", redact(url), reason, pause)
        time.sleep(pause)


def _try(url: str, part: Path, mark: Path) -> None:
    """One request, appended to `part` where the server continues, else written anew."""
    headers = {"Accept-Encoding": "identity"}
    same, total = _noted(mark)
    have = part.stat().st_size if part.exists() and same else 0
    if have:
        headers |= {"Range": f"bytes={have}-", "If-Range": same}
    try:
        with requests.get(url, headers=headers, stream=True, timeout=TIMEOUT) as response:
            whole = response.headers.get("Content-Range") == f"bytes */{have}" and total in (None, have)
            if response.status_code == 416 and whole:
                return  # all was there
            _check_status(response, mark)
            if response.status_code == 206:
                end, total = _range(response, have, same, total, mark)
            else:
                have, end = 0, _length(response)
                total = end
                _mark(response, mark, total)
            _write(response, part, have, total)
    except requests.RequestException as error:
        raise _TransientError(_reason(error)) from error
    size = part.stat().st_size
    if end is not None and size > end:
        _begin_anew(mark, f"the server sent {size - end} bytes more than it said")
    if total is not None and size < total:
        raise _TransientError(f"the answer ended {total - size} bytes before the file does")


def _noted(mark: Path) -> tuple[str, int | None]:
    """What the mark says of the file: its version, nothing if there is no mark or none that a header can hold, and its
    size if that is known."""
    text = mark.read_bytes().decode("ascii", "replace") if mark.exists() else ""
    same, _, total = text.partition("\n")
    good = same.isascii() and same.isprintable()
    return same if good else "", int(total) if good and re.fullmatch(r"\d{1,18}", total) else None


def _range(response: requests.Response, have: int, same: str, total: int | None, mark: Path) -> tuple[int, int | None]:
    """Where a part of the file ends that the server sends, and the file's size if it says so.

    The download begins anew where it is another part than the one asked for, several, or of another file.
    """
    given = response.headers.get("Content-Range", "")
    found = re.fullmatch(r"bytes (\d{1,18})-(\d{1,18})/(\d{1,18}|\*)", given)
    if not found or int(found[1]) != have or "Content-Encoding" in response.headers:
        _begin_anew(mark, f"the server sent the range {given[:80]!r} in place of that from byte {have}")
    sent_total = None if found[3] == "*" else int(found[3])
    version = response.headers.get("ETag" if same.startswith('"') else "Last-Modified", same)
    if version != same or (None not in (sent_total, total) and sent_total != total):
        _begin_anew(mark, "the server has another file now")
    return int(found[2]) + 1, total if sent_total is None else sent_total


def _begin_anew(mark: Path, reason: str) -> NoReturn:
    """Let the next try begin at the file's first byte."""
    mark.unlink(missing_ok=True)
    raise _TransientError(reason)


def _length(response: requests.Response) -> int | None:
    """How many bytes the whole file has; None if the server does not say so, or packs it on its way."""
    length = response.headers.get("Content-Length", "")
    return int(length) if re.fullmatch(r"\d{1,18}", length) and "Content-Encoding" not in response.headers else None


def _check_status(response: requests.Response, mark: Path) -> None:
    """Sort an answer without the file into those worth another try and those that are final."""
    code, reason = response.status_code, f"{response.status_code} {response.reason}"
    if code == 416:
        mark.unlink(missing_ok=True)  # what is here does not fit the file there
    if code >= 500 or code in (408, 416, 429):
        raise _TransientError(f"the server answered {reason}")
    if code not in (200, 206):
        raise ValueError(f"{redact(response.url)}: the server answered {reason}; check the address")


def _mark(response: requests.Response, mark: Path, total: int | None) -> None:
    """Note what tells whether the server still has the same file; nothing if it cannot continue a download."""
    same = response.headers.get("ETag", "")
    same = response.headers.get("Last-Modified", "") if same.startswith("W/") or not same else same
    continues = response.headers.get("Accept-Ranges") == "bytes" and "Content-Encoding" not in response.headers
    if same and continues:
        mark.write_text(same + (f"\n{total}" if total is not None else ""), "utf-8")
    else:
        mark.unlink(missing_ok=True)


def _write(response: requests.Response, part: Path, have: int, total: int | None) -> None:
    """Write the answer's content behind the first `have` bytes."""
    progress = Progress(f"downloading {part.stem}", max(total or have, 1) / 1e6, "MB")
    progress.add(have / 1e6)
    pieces = response.iter_content(PIECE)
    with open(part, "ab" if have else "wb") as file:
        while piece := next(pieces, b""):
            try:
                file.write(piece)
                file.flush()
            except OSError as error:
                raise OSError(error.errno, error.strerror, str(part)) from error
            progress.add(len(piece) / 1e6)


def _reason(error: requests.RequestException) -> str:
    """What went wrong, in few words."""
    if isinstance(error, requests.Timeout):
        return "no answer in time"
    if isinstance(error, requests.exceptions.ChunkedEncodingError):
        return "the connection broke off"
    if isinstance(error, requests.ConnectionError):
        return "no connection"
    return redact(str(error))

"""Downloads that resume after interruptions, with checksums."""

import hashlib
import logging
import re
import time
from pathlib import Path
from typing import NoReturn

import requests

from biassay.core.logs import Progress
from biassay.core.redaction import redact

HASHES = {"md5": 32, "sha1": 40, "sha256": 64}  # number of hexadecimal digits
UNKNOWN = "unknown"
MAX_TRIES = 6  # in a row without progress
WAIT = 1.0  # seconds before the second try, doubled before each further try
TIMEOUT = (20, 60)  # seconds to connect, and between two chunks
CHUNK = 1 << 16  # bytes; an unfinished chunk is lost when a connection breaks


class _TransientError(Exception):
    """A failure after which another try may succeed."""


def fetch(url: str, path: str | Path, checksum: str) -> str:
    """Download a file, unless it exists, and check it.

    Interruptions, timeouts and server errors (5xx, 429) are retried with growing pauses. Until the download is complete
    and checked, only `path`.part exists; a later call resumes it if the server supports this and still has the same
    file.

    Parameters
    ----------
    url
        Address of the file.
    path
        Where to write the file.
    checksum
        "sha256:…", "sha1:…" or "md5:…", or "unknown", which checks nothing and logs the SHA-256 to set.

    Returns
    -------
    str
        The checksum of the file.

    Raises
    ------
    ValueError
        If the server refuses, no try succeeds, or the checksum is wrong; a download with a wrong checksum is deleted.
    """
    name, digest = split_checksum(checksum)
    path = Path(path)
    part, version_file = Path(f"{path}.part"), Path(f"{path}.part.mark")
    exists = path.exists()
    if not exists:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            _retry(url, path, part, version_file)
        except BaseException:
            if not version_file.exists():
                part.unlink(missing_ok=True)
            raise
        version_file.unlink(missing_ok=True)
    with open(path if exists else part, "rb") as file:
        actual = hashlib.file_digest(file, name).hexdigest()
    if digest and actual != digest:
        part.unlink(missing_ok=True)
        remedy = "delete it to download it again" if exists else f"the download was deleted; check {redact(url)}"
        raise ValueError(f"{path}: expected {name} {digest}, got {actual}; {remedy}")
    if not exists:
        part.replace(path)
    if not digest:
        logging.warning(
            "%s was not checked; compare with the publisher's checksum and set checksum: %s:%s", path, name, actual
        )
    return f"{name}:{actual}"


def split_checksum(checksum: str) -> tuple[str, str]:
    """Return the name and the lower-case digits of a checksum, no digits if unknown; raise ValueError if invalid."""
    if checksum == UNKNOWN:
        return "sha256", ""
    name, _, digest = checksum.lower().partition(":")
    if len(digest) != HASHES.get(name) or set(digest) - set("0123456789abcdef"):
        formats = ", ".join(f"{algorithm}:<{length} hexadecimal digits>" for algorithm, length in HASHES.items())
        raise ValueError(f"checksum: invalid value {checksum!r}; expected {formats} or {UNKNOWN}")
    return name, digest


def _retry(url: str, path: Path, part: Path, version_file: Path) -> None:
    """Try until the whole file is in `part`, at most MAX_TRIES times without progress."""
    tries, max_size = 0, 0
    while True:
        try:
            _try(url, part, version_file)
            return
        except _TransientError as error:
            reason = str(error)
        size = part.stat().st_size if part.exists() else 0
        tries, max_size = (1, size) if size > max_size else (tries + 1, max_size)
        if tries == MAX_TRIES:
            raise ValueError(
                f"{path}: download from {redact(url)} failed: {reason}. Try again later. If this machine is offline, "
                f"copy the file to {path}, or anywhere and set `path` instead of `url`"
            )
        pause = WAIT * 2 ** (tries - 1)
        logging.info("%s: %s; next try in %.0f s", redact(url), reason, pause)
        time.sleep(pause)


def _try(url: str, part: Path, version_file: Path) -> None:
    """Make one request; append to `part` if the server resumes the download, else overwrite it."""
    headers = {"Accept-Encoding": "identity"}
    version, total = _read_version(version_file)
    start = part.stat().st_size if part.exists() and version else 0
    if start:
        headers |= {"Range": f"bytes={start}-", "If-Range": version}
    try:
        with requests.get(url, headers=headers, stream=True, timeout=TIMEOUT) as response:
            is_complete = response.headers.get("Content-Range") == f"bytes */{start}" and total in (None, start)
            if response.status_code == 416 and is_complete:
                return
            _check_status(response, version_file)
            if response.status_code == 206:
                end, total = _check_range(response, start, version, total, version_file)
            else:
                start, end = 0, _content_length(response)
                total = end
                _write_version(response, version_file, total)
            _write(response, part, start, total)
    except requests.RequestException as error:
        raise _TransientError(_describe(error)) from error
    size = part.stat().st_size
    if end is not None and size > end:
        _restart(version_file, f"the server sent {size - end} bytes more than announced")
    if total is not None and size < total:
        raise _TransientError(f"the response ended {total - size} bytes before the end of the file")


def _read_version(version_file: Path) -> tuple[str, int | None]:
    """Return the version of the partial file, "" if unknown or unfit for a header, and the total size if known."""
    text = version_file.read_bytes().decode("ascii", "replace") if version_file.exists() else ""
    version, _, total = text.partition("\n")
    is_valid = version.isascii() and version.isprintable()
    return version if is_valid else "", int(total) if is_valid and re.fullmatch(r"\d{1,18}", total) else None


def _check_range(
    response: requests.Response, start: int, version: str, total: int | None, version_file: Path
) -> tuple[int, int | None]:
    """Return the end of the range that the server sends, and the total size of the file if known.

    Restarts the download if the server sends another range, several ranges, or a range of another file.
    """
    content_range = response.headers.get("Content-Range", "")
    match = re.fullmatch(r"bytes (\d{1,18})-(\d{1,18})/(\d{1,18}|\*)", content_range)
    if not match or int(match[1]) != start or "Content-Encoding" in response.headers:
        _restart(version_file, f"the server sent the range {content_range[:80]!r}, not the one from byte {start}")
    sent_total = None if match[3] == "*" else int(match[3])
    sent_version = response.headers.get("ETag" if version.startswith('"') else "Last-Modified", version)
    if sent_version != version or (None not in (sent_total, total) and sent_total != total):
        _restart(version_file, "the file on the server has changed")
    return int(match[2]) + 1, total if sent_total is None else sent_total


def _restart(version_file: Path, reason: str) -> NoReturn:
    """Make the next try start at the first byte."""
    version_file.unlink(missing_ok=True)
    raise _TransientError(reason)


def _content_length(response: requests.Response) -> int | None:
    """Return the size of the whole file in bytes; None if unknown or if the response is compressed."""
    length = response.headers.get("Content-Length", "")
    return int(length) if re.fullmatch(r"\d{1,18}", length) and "Content-Encoding" not in response.headers else None


def _check_status(response: requests.Response, version_file: Path) -> None:
    """Raise _TransientError for a response after which another try may succeed, ValueError for a final failure."""
    code, reason = response.status_code, f"{response.status_code} {response.reason}"
    if code == 416:
        version_file.unlink(missing_ok=True)  # the partial file does not fit the file on the server
    if code >= 500 or code in (408, 416, 429):
        raise _TransientError(f"the server answered {reason}")
    if code not in (200, 206):
        raise ValueError(f"{redact(response.url)}: the server answered {reason}; check the URL")


def _write_version(response: requests.Response, version_file: Path, total: int | None) -> None:
    """Write the version of the file on the server, or nothing if the server cannot resume a download."""
    version = response.headers.get("ETag", "")
    version = response.headers.get("Last-Modified", "") if version.startswith("W/") or not version else version
    is_resumable = response.headers.get("Accept-Ranges") == "bytes" and "Content-Encoding" not in response.headers
    if version and is_resumable:
        version_file.write_text(version + (f"\n{total}" if total is not None else ""), "utf-8")
    else:
        version_file.unlink(missing_ok=True)


def _write(response: requests.Response, part: Path, start: int, total: int | None) -> None:
    """Write the content of a response to `part`, from byte `start` on."""
    progress = Progress(f"downloading {part.stem}", max(total or start, 1) / 1e6, "MB")
    progress.add(start / 1e6)
    chunks = response.iter_content(CHUNK)
    with open(part, "ab" if start else "wb") as file:
        while chunk := next(chunks, b""):
            try:
                file.write(chunk)
                file.flush()
            except OSError as error:
                raise OSError(error.errno, error.strerror, str(part)) from error
            progress.add(len(chunk) / 1e6)


def _describe(error: requests.RequestException) -> str:
    """Describe an error in a few words."""
    if isinstance(error, requests.Timeout):
        return "the server did not respond in time"
    if isinstance(error, requests.exceptions.ChunkedEncodingError):
        return "the connection was interrupted"
    if isinstance(error, requests.ConnectionError):
        return "no connection to the server"
    return redact(str(error))

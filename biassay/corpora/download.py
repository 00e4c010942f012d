"""Downloads that resume after interruptions, with checksums."""

import hashlib
import logging
import re
import time
from pathlib import Path

import requests

from biassay.core import guard
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
    """Download a file, unless it exists, and check it; return its checksum.

    Interruptions, timeouts and server errors (5xx, 429) are retried with growing pauses. Until the download is complete
    and checked, only `path`.part exists; a later call resumes it if the server supports this and still has the same
    file. `checksum` is "sha256:…", "sha1:…" or "md5:…", or "unknown", which checks nothing and logs the SHA-256 to set.

    Raises ValueError if the server refuses, no try succeeds, or the checksum is wrong; a download with a wrong checksum
    is deleted.
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
        origin = "is a file that was there before and may be of another address" if exists else "was not checked"
        logging.warning(
            "%s %s; compare with the publisher's checksum and set checksum: %s:%s", path, origin, name, actual
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
        except (_TransientError, requests.RequestException) as error:
            reason = _describe(error)
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
    """Make one request; append to `part` if the server resumes the download, else overwrite it.

    `version_file` holds the version of the file that `part` is the start of. Without it, a download starts again.
    """
    version = version_file.read_bytes().decode("ascii", "replace").strip() if version_file.exists() else ""
    start = part.stat().st_size if part.exists() and version.isascii() and version.isprintable() and version else 0
    headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={start}-", "If-Range": version} if start else {})
    with requests.get(url, headers=headers, stream=True, timeout=TIMEOUT) as response:
        code, status = response.status_code, f"the server answered {response.status_code} {response.reason}"
        content_range = response.headers.get("Content-Range", "")
        if code == 416 and content_range == f"bytes */{start}":
            return
        if code in (206, 416):
            total = _resumed_total(response, start, version)
            if total is None:
                version_file.unlink(missing_ok=True)
                raise _TransientError(f"{status} with the range {content_range[:80]!r}, not the one from byte {start}")
        elif code >= 500 or code in (408, 429):
            raise _TransientError(status)
        elif code != 200:
            raise ValueError(f"{redact(response.url)}: {status}; check the URL")
        else:
            start, total = 0, _content_length(response)
            _write_version(response, version_file)
        _write(response, part, start, total)
    size = part.stat().st_size
    if total is not None and size != total:
        if size > total:
            version_file.unlink(missing_ok=True)
        raise _TransientError(f"the server sent {size} of {total} bytes")


def _resumed_total(response: requests.Response, start: int, version: str) -> int | None:
    """Return the size of the whole file if the response is its rest, from byte `start` to the end; else None."""
    match = re.fullmatch(rf"bytes {start}-(\d{{1,18}})/(\d{{1,18}})", response.headers.get("Content-Range", ""))
    sent_version = response.headers.get("ETag" if version.startswith('"') else "Last-Modified", version)
    is_rest = match and int(match[1]) + 1 == int(match[2]) and "Content-Encoding" not in response.headers
    return int(match[2]) if is_rest and sent_version == version and response.status_code == 206 else None


def _content_length(response: requests.Response) -> int | None:
    """Return the size of the whole file in bytes; None if unknown or if the response is compressed."""
    length = response.headers.get("Content-Length", "")
    return int(length) if re.fullmatch(r"\d{1,18}", length) and "Content-Encoding" not in response.headers else None


def _write_version(response: requests.Response, version_file: Path) -> None:
    """Write the version of the file on the server, or nothing if the server cannot resume a download."""
    version = response.headers.get("ETag", "")
    version = response.headers.get("Last-Modified", "") if version.startswith("W/") or not version else version
    version_file.unlink(missing_ok=True)
    if version and response.headers.get("Accept-Ranges") == "bytes" and "Content-Encoding" not in response.headers:
        version_file.write_text(version, "utf-8")


def _write(response: requests.Response, part: Path, start: int, total: int | None) -> None:
    """Write the content of a response to `part`, from byte `start` on."""
    progress = Progress(f"downloading {part.stem}", max(total or start, 1) / 1e6, "MB")
    progress.add(start / 1e6)
    with open(part, "ab" if start else "wb") as file:
        for chunk in response.iter_content(CHUNK):
            with guard.naming(part):
                file.write(chunk)
                file.flush()
            progress.add(len(chunk) / 1e6)


def _describe(error: Exception) -> str:
    """Describe an error in a few words."""
    if isinstance(error, requests.Timeout):
        return "the server did not respond in time"
    if isinstance(error, requests.exceptions.ChunkedEncodingError):
        return "the connection was interrupted"
    if isinstance(error, requests.ConnectionError):
        return "no connection to the server"
    return redact(str(error))

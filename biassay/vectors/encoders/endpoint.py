"""Vectors from a service with an OpenAI-compatible /v1/embeddings endpoint; no text is sent twice."""

import hashlib
import json
import logging
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import numpy as np
import platformdirs
import requests
import tenacity
import urllib3

from biassay.core import options
from biassay.core.redaction import redact
from biassay.core.terminals import printable
from biassay.vectors.encoders.encoder import Encoder, check_rows
from biassay.vectors.encoders.vector_cache import VectorCache

OPENAI = "https://api.openai.com/"
OPENAI_KEY = "OPENAI_API_KEY"  # is sent to OPENAI without being named
MAX_ROW = 1 << 19  # bytes of a response per text: 16,000 dimensions of 32 bytes
MAX_QUOTED = 2000  # characters of a response in which secrets of addresses are searched
CONNECT = 20.0  # seconds to connect
TIMEOUT = 120.0  # seconds per request
WAIT = 1.0  # seconds before the second try, doubled before each further try, plus as much at random
MAX_TRIES = 7  # in a row
PATIENCE = 300.0  # seconds for all tries of a request
CHUNK = 1 << 16  # bytes
CHARACTERS_PER_TOKEN = 4  # of English text, roughly
WORDS = re.compile(r"\w+"), re.compile(r"[\w-]+")  # of a text, which may be hidden; a name can have a hyphen
UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")  # in the name of a file

log = logging.getLogger("biassay.endpoint")


class _TransientError(Exception):
    """A failure after which another try may succeed; pause: seconds that the service asks for."""

    def __init__(self, reason: str, pause: float = 0.0):
        super().__init__(reason)
        self.pause = pause


def open_endpoint(
    url: str, model: str, *, dimensions: Annotated[int, "1 <= x <= 100_000"] | None = None,
    prompt: str = "", batch: Annotated[int, "1 <= x <= 2048"] = 32, key_variable: str | None = None,
    cache: str | Path | bool = True,
) -> Encoder:  # fmt: skip
    """Open an OpenAI-compatible embeddings endpoint as an encoder for `audit` and `measure`.

    Nothing is sent before the encoder is called. Each vector is kept in a cache on disk: an interrupted audit resumes,
    and a repeated one sends nothing. Rate limits, server errors and time-outs are retried with growing pauses.

    Parameters
    ----------
    url
        Address of the service, such as "https://api.openai.com/v1" or "http://localhost:11434/v1".
    model
        Name of the model, as the service calls it.
    dimensions
        Number of dimensions to ask for, if the model can shorten its vectors.
    prompt
        Text to put before every text, such as "query: ".
    batch
        Number of texts per request.
    key_variable
        Name of the environment variable with the key. By default OPENAI_API_KEY for api.openai.com, and no key for any
        other service. The key is in no message and no file.
    cache
        Folder for the vectors (True: in the user's folder for caches), or False for no cache.

    Returns
    -------
    Encoder
        Function of a list of n texts that returns an array (n, d) of float32.

    Raises
    ------
    ValueError
        For a wrong argument; when called, if the service refuses, stays unavailable or returns anything but one vector
        per text.

    Examples
    --------
    >>> from biassay import open_endpoint
    >>> encoder = open_endpoint("http://localhost:11434/v1", "all-minilm")
    >>> encoder.name
    'all-minilm'
    >>> open_endpoint("localhost:11434", "all-minilm")
    Traceback (most recent call last):
    ValueError: endpoint: expected an address such as https://api.openai.com/v1, got 'localhost:11434'
    """
    service = Service(
        url, model, dimensions=dimensions, prompt=prompt, batch=batch, key_variable=key_variable, cache=cache
    )
    return service.as_encoder()


class Service:
    """An endpoint with its cache; the arguments are those of `open_endpoint`."""

    def __init__(self, url, model, *, dimensions=None, prompt="", batch=32, key_variable=None, cache=True):
        checked = {"dimensions": dimensions, "prompt": prompt, "batch": batch}
        options.check("endpoint: ", checked, options.read(open_endpoint))
        for name, value in {"model": model, "key_variable": key_variable or OPENAI_KEY}.items():
            if not isinstance(value, str) or not value.strip():
                raise ValueError(f"endpoint: {name}: expected a name, got {value!r:.80}")
        self.url = _locate(url)
        self.address = _without_query(self.url)
        self.model, self.dimensions, self.prompt, self.batch = model, dimensions, prompt, batch
        self.key_variable = key_variable or (OPENAI_KEY if self.url.startswith(OPENAI) else None)
        self.cache = VectorCache(self._find_cache_file(cache)) if cache is not False else None
        self.session = requests.Session()
        self.n_done = 0
        self.rehearsed: list[list[str]] = []

    def as_encoder(self, *, dry_run: bool = False) -> Encoder:
        """Return the encoder that asks this service, or only notes what it would ask."""
        encode = self.rehearse if dry_run else self.encode
        service = {"endpoint": self.address, "model": self.model, "prompt": self.prompt, "dimensions": self.dimensions}
        service = {option: value for option, value in service.items() if value}
        return Encoder(self.model, encode, self.batch, address=f"{self.model} at {self.address}", service=service)

    def encode(self, texts: list[str]) -> np.ndarray:
        """Return the vectors of n texts (n, d) float32; those that are not in the cache come from the service."""
        texts = [self.prompt + text for text in texts]
        rows = self.cache.read(texts) if self.cache else {}
        self.n_done += len(rows)
        if missing := [text for text in texts if text not in rows]:
            rows |= zip(missing, self._fetch(missing), strict=True)
        return np.stack([rows[text] for text in texts])

    def rehearse(self, texts: list[str]) -> np.ndarray:
        """Note n texts that `encode` would get, for `describe_requests`; send nothing and return ones (n, 1)."""
        self.rehearsed.append([self.prompt + text for text in texts])
        return np.ones((len(texts), 1))

    def describe_requests(self, hidden_words: frozenset[str] = frozenset()) -> Iterator[str]:
        """Yield lines on what encoding the rehearsed texts would send, with examples that have no hidden word."""
        texts = list(dict.fromkeys(text for part in self.rehearsed for text in part))
        cached = self.cache.read(texts) if self.cache else {}
        requests = [part for batch in self.rehearsed if (part := [text for text in batch if text not in cached])]
        unsent = [text for part in requests for text in part]
        n_characters = sum(map(len, unsent))
        place = f" {self.cache.path}" if self.cache else ", which is off"
        yield f"service: {self.address}, model {self.model}"
        yield f"key: {'the environment variable ' + self.key_variable if self.key_variable else 'none'}"
        yield f"texts: {len(texts):,}, of which {len(cached):,} are in the cache{place}"
        yield f"to be sent: {len(unsent):,} texts, {n_characters:,} characters, in {len(requests):,} requests"
        yield f"tokens: about {-(-n_characters // CHARACTERS_PER_TOKEN):,} (characters / {CHARACTERS_PER_TOKEN})"
        shown = [text for text in unsent if not any(hidden_words.intersection(part.findall(text)) for part in WORDS)]
        yield from (f"for example: {text!r:.100}" for text in shown[:: -(-len(shown) // 3) or 1])
        yield "nothing was sent"

    def _fetch(self, texts: list[str]) -> np.ndarray:
        """Ask the service for the vectors (n, d) of n texts, and add them to the cache."""
        retrying = tenacity.Retrying(
            retry=tenacity.retry_if_exception_type(_TransientError),
            wait=_find_pause,
            stop=tenacity.stop_after_attempt(MAX_TRIES) | tenacity.stop_before_delay(PATIENCE),
            before_sleep=self._report_retry,
            reraise=True,
        )
        try:
            rows = self._parse(texts, retrying(self._post, texts))
        except _TransientError as error:
            n_tries = retrying.statistics["attempt_number"]
            raise ValueError(f"{self.address}: {error}; tried {n_tries} times{self._describe_done()}") from error
        except ValueError as error:
            raise ValueError(f"{self.address}: {error}{self._describe_done()}") from error
        if self.cache:
            self.cache.write(texts, rows)
        self.n_done += len(texts)
        return rows

    def _post(self, texts: list[str]) -> bytes:
        """Make one request; return the body of the response, of limited size and received in limited time."""
        payload = {"model": self.model, "input": texts, "encoding_format": "float"}
        if self.dimensions is not None:
            payload["dimensions"] = self.dimensions
        deadline = time.monotonic() + TIMEOUT
        try:
            with self.session.post(
                self.url, json=payload, auth=self._add_key, timeout=(CONNECT, TIMEOUT), stream=True,
                allow_redirects=False,
            ) as response:  # fmt: skip
                body = _read_body(response, MAX_ROW * (len(texts) + 1), deadline)
        except requests.exceptions.SSLError as error:
            raise ValueError("the certificate of the service was not accepted") from error
        except (requests.Timeout, urllib3.exceptions.TimeoutError) as error:
            raise _TransientError("no complete response in time; a smaller batch may help") from error
        except (requests.ConnectionError, urllib3.exceptions.HTTPError) as error:
            raise _TransientError("no connection, or it was interrupted") from error
        except requests.RequestException as error:
            raise ValueError(f"the request cannot be made ({type(error).__name__})") from error
        self._check_status(response, body)
        return body

    def _add_key(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        """Add the key to a request; having this function, requests reads no passwords from ~/.netrc."""
        if self.key_variable:
            request.headers["Authorization"] = f"Bearer {self._read_key()}"
        return request

    def _read_key(self) -> str:
        key = os.environ.get(self.key_variable, "").strip()
        if not key:
            raise ValueError(f"the environment variable {self.key_variable} has no key")
        if not re.fullmatch(r"[!-~]+", key):
            raise ValueError(f"the key in the environment variable {self.key_variable} has other characters than ASCII")
        return key

    def _check_status(self, response: requests.Response, body: bytes) -> None:
        """Raise _TransientError or ValueError unless the status is 200."""
        code = response.status_code
        if code == 200:
            return
        if 300 <= code < 400:
            target = redact(self._hide_key(_without_query(response.headers.get("Location", ""))))
            raise ValueError(f"the service redirects to {target!r:.200}; give that address if you trust it")
        reason = f"the service answered {code}{self._quote(body)}"
        if code in (401, 403) and not self.key_variable:
            reason += "; name the environment variable that has the key"
        if code not in (408, 429) and code < 500:
            raise ValueError(reason)
        pause = _read_retry_after(response.headers.get("Retry-After", ""))
        raise _TransientError(f"{reason}{f', and asks to wait {pause:,.0f} s' if pause else ''}", pause)

    def _quote(self, body: bytes) -> str:
        """Return ": " and the message in a response, short and without the key; "" if there is none."""
        message = body.decode("utf-8", "replace")
        try:
            content = json.loads(message)
            for key in ("error", "message", "detail"):
                if isinstance(content, dict) and key in content:
                    content = content[key]
            message = content if isinstance(content, str) else json.dumps(content)
        except (ValueError, RecursionError):
            pass
        message = redact(" ".join(self._hide_key(message).split())[:MAX_QUOTED])
        return f": {printable(message):.300}" if message else ""

    def _hide_key(self, text: str) -> str:
        """Replace the key in a text of the service, which may repeat it."""
        return text.replace(self._read_key(), "***") if self.key_variable else text

    def _parse(self, texts: list[str], body: bytes) -> np.ndarray:
        """Return the vectors (n, d) float32 in a response, in the order of the n texts; raise ValueError if invalid."""
        try:
            items = sorted(json.loads(body)["data"], key=lambda item: item["index"])
            indices, rows = [item["index"] for item in items], [item["embedding"] for item in items]
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise ValueError(
                f'expected JSON such as {{"data": [{{"index": 0, "embedding": [0.1, …]}}, …]}}, got{self._quote(body)}'
            ) from error
        if indices != list(range(len(texts))):
            raise ValueError(
                f"expected one vector for each of {len(texts)} texts, got {len(indices)} with index {indices!s:.100}"
            )
        expected = self.cache.n_dimensions() if self.cache else None
        rows = check_rows("vectors", texts, rows)
        if expected is not None and rows.shape[1] != expected:
            raise ValueError(
                f"expected {expected} dimensions as for earlier texts, got {rows.shape[1]}; if the service has another "
                f"model now, delete {self.cache.path}"
            )
        if self.dimensions not in (None, rows.shape[1]):
            raise ValueError(f"dimensions: asked for {self.dimensions}, got {rows.shape[1]}")
        return rows

    def _report_retry(self, state: tenacity.RetryCallState) -> None:
        reason, pause = state.outcome.exception(), state.next_action.sleep
        log.warning("%s: %s; next try in %.0f s", self.address, reason, pause)

    def _describe_done(self) -> str:
        """Say how many texts are done."""
        if not (self.cache and self.n_done):
            return ""
        return f". {self.n_done:,} texts are done and in the cache {self.cache.path}: repeat the audit to resume"

    def _find_cache_file(self, cache: str | Path | bool) -> Path:
        """Return the file of this service, model and number of dimensions."""
        if not isinstance(cache, str | Path | bool):
            raise ValueError(f"endpoint: cache: expected a folder, true or false, got {cache!r:.80}")
        folder = platformdirs.user_cache_path("biassay") / "endpoints" if cache is True else Path(cache)
        key = json.dumps([self.url, self.model, self.dimensions])
        name = UNSAFE.sub("-", self.model)[:60]
        return folder / f"{name}-{hashlib.sha256(key.encode()).hexdigest()[:12]}.sqlite"


def _locate(url: str) -> str:
    """Return the address that ends with "/embeddings"; raise ValueError, without secrets, if it is none."""
    if not isinstance(url, str) or "@" in url:
        raise ValueError(
            "endpoint: expected an address without user and password; name a variable with the key instead"
        )
    invalid = f"endpoint: expected an address such as https://api.openai.com/v1, got {_without_query(url)!r:.100}"
    try:
        parts = urlsplit(url)
        is_valid = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError as error:
        raise ValueError(invalid) from error
    if not is_valid:
        raise ValueError(invalid)
    path = parts.path.rstrip("/") or "/v1"
    return parts._replace(path=path if path.endswith("/embeddings") else f"{path}/embeddings", fragment="").geturl()


def _without_query(url: str) -> str:
    return re.split("[?#]", url)[0]


def _find_pause(state: tenacity.RetryCallState) -> float:
    """Return the seconds before the next try: what the service asks for, else growing with each try."""
    growing = tenacity.wait_exponential_jitter(multiplier=WAIT, jitter=WAIT)(state)
    return max(growing, state.outcome.exception().pause)


def _read_retry_after(header: str) -> float:
    """Return the seconds of a header Retry-After, which is a number or a date; 0 for anything else."""
    try:
        return float(urllib3.Retry().parse_retry_after(header))
    except (urllib3.exceptions.InvalidHeader, ValueError, OverflowError):
        return 0.0


def _read_body(response: requests.Response, max_bytes: int, deadline: float) -> bytes:
    """Read the body of a response; raise ValueError if it is too large, and Timeout after the deadline."""
    body = bytearray()
    while chunk := response.raw.read1(CHUNK, decode_content=True):
        body += chunk
        if len(body) > max_bytes:
            raise ValueError(f"the response is larger than {max_bytes / 1e6:.0f} MB")
        if time.monotonic() > deadline:
            raise requests.Timeout
    return bytes(body)

"""Vectors from an embeddings service: a real server on this machine that behaves well or badly, and the cache."""

import gzip
import json
import logging
import sqlite3
import threading
import time
from contextlib import closing
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from biassay import cli, open_endpoint
from biassay.vectors.encoders import endpoint

KEY = "sk-secret-0123456789"
TEXTS = [f"{'a' * n} text" for n in range(1, 11)]


def embed(text, d=3):
    return [len(text) + 0.25, text.count("a"), *[1.0] * (d - 2)]


def respond(texts, embeddings=None):
    """Return the JSON of a correct response, in reverse order."""
    embeddings = [embed(text) for text in texts] if embeddings is None else embeddings
    items = [{"object": "embedding", "index": i, "embedding": row} for i, row in enumerate(embeddings)]
    return {"object": "list", "data": items[::-1], "model": "m", "usage": {"prompt_tokens": 1, "total_tokens": 1}}


class Server(ThreadingHTTPServer):
    """Answers with `embed`; `faults`: functions of handler and texts that answer the next requests instead."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.faults, self.requests = [], []
        self.url = f"http://127.0.0.1:{self.server_port}/v1"

    def handle_error(self, request, client_address):
        """Say nothing about clients that have gone."""

    @property
    def texts(self):
        """All texts received, in order."""
        return [text for request in self.requests for text in request["input"]]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append(request | {"path": self.path, "key": self.headers.get("Authorization")})
        if self.server.faults:
            self.server.faults.pop(0)(self, request["input"])
        else:
            self.send(respond(request["input"]))

    def send(self, content, status=200, **headers):
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(status)
        for name, value in ({"Content_Length": len(body)} | headers).items():
            self.send_header(name.replace("_", "-"), str(value))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


def fault(content, status=200, **headers):
    return lambda handler, texts: handler.send(content(texts) if callable(content) else content, status, **headers)


def dribble(handler, texts):
    """Send a response that never ends."""
    handler.send(b"{", Content_Length=1000)
    for _ in range(100):
        handler.wfile.write(b" ")
        time.sleep(0.02)


def hang_up(handler, texts):
    """Send half of a response."""
    body = json.dumps(respond(texts)).encode()
    handler.send(body[: len(body) // 2], Content_Length=len(body))
    handler.close_connection = True


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setattr(endpoint, "WAIT", 0.01)
    with Server() as running:
        threading.Thread(target=running.serve_forever, args=(0.01,), daemon=True).start()
        yield running
        running.shutdown()


@pytest.fixture
def opened(server, tmp_path):
    """Open an encoder with a cache of its own; keywords are those of `open_endpoint`."""
    return lambda **keywords: open_endpoint(
        server.url, "m", **({"batch": 4, "cache": tmp_path / "new/cache"} | keywords)
    )


def test_vectors_are_those_of_the_service_in_batches_and_are_sent_once(server, opened, tmp_path):
    texts = [*TEXTS, TEXTS[0]]
    expected = np.array([embed(text) for text in texts], "float32")
    np.testing.assert_array_equal(opened()(texts[::-1]), expected[::-1])
    assert [len(request["input"]) for request in server.requests] == [4, 4, 2]
    assert sorted(server.texts) == sorted(TEXTS)
    assert {key: server.requests[0][key] for key in ("path", "model", "encoding_format", "key")} == {
        "path": "/v1/embeddings", "model": "m", "encoding_format": "float", "key": None,
    }  # fmt: skip
    assert "dimensions" not in server.requests[0]
    server.shutdown()  # the cache needs no server
    np.testing.assert_array_equal(opened()(texts), expected)
    (file,) = (tmp_path / "new/cache").iterdir()
    assert b"text" not in file.read_bytes().replace(b"(text BLOB", b"").replace(b"text BLOB", b"")


def test_service_model_and_dimensions_have_caches_of_their_own(server, opened, tmp_path):
    opened()(["a"])
    server.faults = [fault(lambda texts: respond(texts, [embed(text, 5) for text in texts]))]
    assert opened(dimensions=5)(["a"]).shape == (1, 5)
    assert server.requests[-1]["dimensions"] == 5
    open_endpoint(server.url, "other", cache=tmp_path / "new/cache")(["a"])
    open_endpoint(server.url + "/", "m", cache=tmp_path / "new/cache")(["a"])  # the same address
    assert len(server.requests) == 3
    assert opened(prompt="query: ")(["a"])[0, 0] == len("query: a") + 0.25
    opened(cache=False)(["a"])
    opened(cache=False)(["a"])
    assert server.texts == ["a", "a", "a", "query: a", "a", "a"]
    assert len(list((tmp_path / "new/cache").iterdir())) == 3


@pytest.mark.parametrize(
    "faults",
    [
        [fault({"error": {"message": "slow down"}}, 429), fault(b"", 408)],
        [fault({}, 500), fault(b"<html>", 502), fault({}, 503), fault({}, 529)],
        [hang_up],
        [dribble],
    ],
    ids=["429 and 408", "5xx", "interrupted response", "time-out"],
)
def test_passing_failures_are_retried(server, opened, monkeypatch, faults, caplog):
    monkeypatch.setattr(endpoint, "TIMEOUT", 0.3)
    server.faults = list(faults)
    np.testing.assert_array_equal(opened()(["a"]), [embed("a")])
    assert len(server.requests) == len(faults) + 1
    assert caplog.text.count("next try in") == len(faults)


@pytest.mark.parametrize("is_date", [False, True])
def test_pauses_that_the_service_asks_for_are_made(server, opened, monkeypatch, is_date):
    pauses = []
    monkeypatch.setattr("tenacity.nap.time.sleep", pauses.append)
    header = {"Retry_After": formatdate(time.time() + 100, usegmt=True) if is_date else "100"}
    server.faults = [fault({}, 429, **header)]
    opened()(["a"])
    assert pauses == [pytest.approx(100, abs=30)]


@pytest.mark.parametrize(("header", "n_requests"), [("100000", 1), ("soon", 3), ("-5", 3)])
def test_patience_has_an_end(server, opened, monkeypatch, header, n_requests):
    monkeypatch.setattr(endpoint, "MAX_TRIES", 3)
    server.faults = [fault({"message": "too many"}, 429, Retry_After=header)] * 9
    with pytest.raises(ValueError, match=rf"{server.url}/embeddings: .*429: too many.*; tried {n_requests} times"):
        opened()(["a"])
    assert len(server.requests) == n_requests


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (fault({"error": {"message": "no model 'm'"}}, 404), "404: no model 'm'"),
        (fault({"detail": "no entry"}, 401), "401: no entry; name the environment variable"),
        (fault(b"x" * 5000, 400), "400: x{300}$"),
        (fault(b"://" * 100_000, 400), "400: (://)+"),  # would take hours if each :// were searched to the end
        (fault({"error": "down \x1b]0;title\x07\x1b[31mred"}, 400), "400: down �]0;title�red$"),
        (fault(b"", 302, Location="https://u:pw@elsewhere/v1?token=1"), r"redirects to 'https://\*\*\*@elsewhere/v1'"),
        (fault(b'{"data": [{"index": 0, "embedd'), "expected JSON .* got: {\"data\""),
        (fault([1]), "expected JSON"),
        (fault({"error": "out of memory"}), "got: out of memory"),
        (fault({"data": [{"embedding": [1.0, 2.0]}]}), "expected JSON"),
        (fault(lambda texts: respond(texts, [[1.0, 2.0]] * 2)), r"for each of 1 texts, got 2 with index \[0, 1\]"),
        (fault({"data": [{"index": 1, "embedding": [1.0]}]}), r"got 1 with index \[1\]"),
        (fault(b'{"data": [{"index": 0, "embedding": [NaN, 1]}]}'), "'a' has a value that is not finite"),
        (fault(lambda texts: respond(texts, [["1", "2"]])), "expected an array of numbers"),
        (fault(b" " * 2_000_000), "larger than 1 MB"),
        (fault(gzip.compress(b" " * 50_000_000), Content_Encoding="gzip"), "larger than 1 MB"),
    ],
)  # fmt: skip
def test_other_responses_are_errors_at_once_and_are_not_cached(server, opened, answer, message):
    server.faults = [answer]
    with pytest.raises(ValueError, match=f"(?s)^{server.url}/embeddings: .*{message}") as raised:
        opened()(["a"])
    assert len(server.requests) == 1
    assert len(str(raised.value)) < 500
    assert "pw" not in str(raised.value)
    np.testing.assert_array_equal(opened()(["a"]), [embed("a")])


@pytest.mark.parametrize("keywords", [{"cache": False}, {}, {"dimensions": 3}])
def test_another_width_is_an_error(server, opened, keywords):
    server.faults = [fault(respond), fault(lambda texts: respond(texts, [[1.0] * 7 for _ in texts]))]
    encoder = opened(**keywords)
    with pytest.raises(ValueError, match=r"expected 3 dimensions|asked for 3, got 7"):
        encoder(TEXTS)
    if "cache" not in keywords:
        np.testing.assert_array_equal(opened(**keywords)(TEXTS), [embed(text) for text in TEXTS])


def test_a_service_that_goes_down_is_resumed(server, opened, monkeypatch):
    monkeypatch.setattr(endpoint, "MAX_TRIES", 2)
    server.faults = [fault(respond), fault(respond), fault({}, 503), fault({}, 503)]
    with pytest.raises(ValueError, match=r"503.*tried 2 times\. 8 texts are done and in the cache .*m-.*\.sqlite"):
        opened()(TEXTS)
    server.requests.clear()
    np.testing.assert_array_equal(opened()(TEXTS), [embed(text) for text in TEXTS])
    assert len(server.texts) == 2


def test_a_server_that_does_not_exist_is_named(opened, server, monkeypatch):
    monkeypatch.setattr(endpoint, "MAX_TRIES", 2)
    server.shutdown()
    server.server_close()
    with pytest.raises(ValueError, match=rf"{server.url}/embeddings: no connection.*tried 2 times$"):
        opened()(["a"])


def test_the_key_is_sent_and_shown_nowhere(server, opened, monkeypatch, tmp_path, caplog):
    monkeypatch.setenv("MY_KEY", f" {KEY}\n")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-another-service")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login me password sk-of-netrc\n")
    caplog.set_level(logging.DEBUG)
    echo = {"error": {"message": f"bad key {KEY}"}}
    server.faults = [fault(echo, 500), fault(echo, 401)]
    encoder = opened(key_variable="MY_KEY")
    with pytest.raises(ValueError, match=r"401: bad key \*\*\*") as raised:
        encoder(["a"])
    encoder(["a"])
    opened(cache=False)(["a"])
    assert [request["key"] for request in server.requests] == [f"Bearer {KEY}"] * 3 + [None]
    server.faults = [fault(b"", 308, Location=f"http://other/{KEY}")]
    with pytest.raises(ValueError, match=r"redirects to 'http://other/\*\*\*'"):
        encoder(["b"])
    files = [path.read_bytes() for path in (tmp_path / "new/cache").iterdir()]
    for text in (str(raised.value), caplog.text, repr(encoder), repr(vars(encoder.encode.__self__)), *map(str, files)):
        assert KEY not in text
    for value, message in (("", "MY_KEY has no key"), (KEY + "é", "other characters"), (f"{KEY}\nX: 1", "other char")):
        monkeypatch.setenv("MY_KEY", value)
        with pytest.raises(ValueError, match=message) as raised:
            opened(key_variable="MY_KEY", cache=False)(["a"])
        assert KEY not in str(raised.value)
    assert endpoint.Service("https://api.openai.com/v1", "m").key_variable == "OPENAI_API_KEY"
    assert endpoint.Service("https://api.openai.com.example/v1", "m").key_variable is None
    assert endpoint.Service("http://api.openai.com/v1", "m").key_variable is None


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://h:80", "http://h:80/v1/embeddings"),
        ("https://h/openai/v1/", "https://h/openai/v1/embeddings"),
        ("https://h/v1/embeddings?version=1", "https://h/v1/embeddings?version=1"),
    ],
)
def test_addresses(url, expected, tmp_path):
    service = endpoint.Service(url, "m", cache=tmp_path)
    assert service.url == expected
    assert service.address == expected.split("?")[0]


@pytest.mark.parametrize(
    "url",
    ["", "host/v1", "ftp://h", "http://", "http://h:99999", "http://h:0", "https://u:secret@h", "u:secret@h", 5],
)
def test_wrong_addresses_are_errors_without_secrets(url):
    with pytest.raises(ValueError, match="endpoint: expected an address") as raised:
        open_endpoint(url, "m")
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"model": ""}, "model: expected a name, got ''"),
        ({"batch": 0}, "batch: expected an integer from 1 to 2048, got 0"),
        ({"dimensions": 2.0}, "dimensions: expected an integer from 1 to 100000, or nothing, got 2.0"),
        ({"cache": 5}, "cache: expected a folder"),
    ],
)
def test_wrong_arguments_are_errors(keywords, message):
    with pytest.raises(ValueError, match=f"^endpoint: {message}"):
        open_endpoint(**({"url": "http://h", "model": "m"} | keywords))


def test_a_broken_cache_is_named(server, opened, tmp_path):
    opened()(["a"])
    (file,) = (tmp_path / "new/cache").iterdir()
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("UPDATE vectors SET vector = x'00'")
    with pytest.raises(ValueError, match=rf"^{file}: the cache cannot be used \(.*\); delete the file"):
        opened()(["a"])
    file.write_bytes(b"no database" * 100)
    for cache in (file.parent, file):  # a file in place of the folder
        with pytest.raises(ValueError, match=f"{file}.*: the cache cannot be used"):
            opened(cache=cache)(["a"])


def test_a_rehearsal_counts_texts_of_the_cache_and_shows_no_hidden_words(server, opened, tmp_path):
    opened()(TEXTS[:3])
    service = endpoint.Service(server.url, "m", batch=4, cache=tmp_path / "new/cache")
    service.as_encoder(dry_run=True)([*TEXTS[:4], "aaaaa Bobbie-Sue", "five"])
    shown = "\n".join(service.describe_requests(frozenset(["aaaa", "Bobbie-Sue"])))
    assert "texts: 6, of which 3 are in the cache" in shown
    assert "in 2 requests" in shown
    assert [word in shown for word in ("aaaa text", "Bobbie-Sue", "'five'")] == [False, False, True]


@pytest.fixture
def audit(server, tmp_path, monkeypatch, capsys):
    """Run `biassay audit` on the server with a small test; return the exit status and what was printed."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "jobs.yaml").write_text(
        "groups: {women: [she, her], men: [he, him]}\ntargets: {care: [nurse, maid], craft: [pilot, miner]}\n"
    )
    common = ["audit", "--endpoint", server.url, "--tests", "jobs.yaml", "--metrics", "weat", "mac"]
    quick = ["--permutations", "39", "--resamples", "20", "--threads", "1", "--cache", "cache"]

    def run(*arguments):
        status = cli.main([*common, *quick, *arguments])
        return status, capsys.readouterr()

    return run


def test_an_audit_shows_what_it_sends_resumes_and_hides_the_key(server, audit, monkeypatch, tmp_path):
    monkeypatch.setattr(endpoint, "MAX_TRIES", 2)
    monkeypatch.setenv("MY_KEY", KEY)
    service = ["--model", "m", "--key-variable", "MY_KEY", "--batch", "1000"]
    status, dry = audit(*service, "--dry-run")
    assert (status, server.requests) == (0, [])
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == ["cache"]
    server.faults = [fault(respond), fault({"message": KEY}, 500), fault({"message": KEY}, 500)]
    status, down = audit(*service)
    assert status == 2
    assert "1,000 texts are done" in down.err.splitlines()[-1]
    status, done = audit(*service)
    assert status == 0
    texts = server.requests[0]["input"] + server.texts[3000:]  # the second request was made three times
    assert f"texts: {len(texts):,}, of which 0 " in dry.out
    assert f"to be sent: {len(set(texts)):,} texts, {sum(map(len, texts)):,} characters" in dry.out
    assert {"she", "This is nurse.", "They talked about pilot."} <= set(texts)
    server.shutdown()
    assert audit(*service, "--out", "again")[0] == 0
    assert (tmp_path / "again/metrics.csv").read_bytes() == (tmp_path / "audit-m/metrics.csv").read_bytes()
    (source,) = json.loads((tmp_path / "audit-m/audit.json").read_text())["sources"]
    assert (source["name"], source["source"]) == ("m", f"m at {server.url}/embeddings")
    files = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert not any(KEY.encode() in content for content in files)
    assert not any(KEY in stream for output in (dry, down, done) for stream in output)


def test_an_audit_records_the_prompt_and_the_dimensions_of_a_service(server, audit, tmp_path):
    assert audit("--model", "m", "--prompt", "query: ", "--dimensions", "3")[0] == 0
    (source,) = json.loads((tmp_path / "audit-m/audit.json").read_text())["sources"]
    address = f"{server.url}/embeddings"
    assert source["service"] == {"endpoint": address, "model": "m", "prompt": "query: ", "dimensions": 3}
    about = json.loads((tmp_path / "audit-m/every_eval_ever.json").read_text())["model_info"]["additional_details"]
    assert (about["encoder"], about["prompt"]) == ("embedding service", "query: ")
    command = f"biassay audit --endpoint {address} --model m --prompt 'query: ' --dimensions 3 --tests YOUR_TESTS.yaml"
    assert command in (tmp_path / "audit-m/model_card.md").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "--endpoint needs --model NAME"),
        (["--model", "m", "--key-variable", "NO_KEY"], "variable NO_KEY has no key"),
    ],
)
def test_wrong_options_of_a_service_are_one_line_and_send_nothing(server, audit, arguments, message):
    status, output = audit(*arguments)
    assert status == 2
    assert message in output.err
    assert output.err.count("\n") == 1
    assert not server.requests


def test_options_of_a_service_need_its_address(capsys):
    assert cli.main(["audit", "x.txt", "--dry-run"]) == 2
    assert "--dry-run needs --endpoint URL" in capsys.readouterr().err

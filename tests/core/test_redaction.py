"""Addresses in messages: without secrets, and otherwise unchanged."""

import pickle

import pytest

from biassay.core.redaction import Address, redact


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("https://user:secret@host/x.bz2", "https://***@host/x.bz2"),
        ("is 'https://secret@host/x' right?", "is 'https://***@host/x' right?"),
        ("https://user:se/secret?#'@host/x", "https://***@host/x"),
        ("https://user:a secret@host/x", "https://***@host/x"),
        ("https://host/x?token=secret&a=b: the server answered 403", "https://host/x?*** the server answered 403"),
        ("HTTPS://HOST/x?secret", "HTTPS://HOST/x?***"),
        *((text, text) for text in ("is https://host/x the right file?", "me@host", "a?b")),
    ],
)
def test_secrets_are_left_out_and_all_else_stays(text, expected):
    value = {"url": [text, {"n": [1, 0.5, None, True]}]}
    assert redact(value) == {"url": [expected, {"n": [1, 0.5, None, True]}]}
    assert value["url"][0] == text


def test_an_address_shows_no_secret_and_is_whole():
    url = "https://u:secret@host/x"
    kept = pickle.loads(pickle.dumps({"url": Address(url)}))
    assert "secret" not in f"{kept} {kept['url']!r}"
    assert kept["url"] == url
    assert type(redact(kept["url"])) is str

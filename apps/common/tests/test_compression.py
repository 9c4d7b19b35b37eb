"""Answers that are sent compressed, and those that never are."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from typing import Any

from django.http import HttpResponse, StreamingHttpResponse
from django.test import Client, RequestFactory

from apps.common.web.compression import Compression

WORDS = "the same words again " * 100


def sent(answer: Any, accept: str = "gzip, deflate, br") -> Any:
    """The answer as it leaves."""
    request = RequestFactory().get("/", headers={"Accept-Encoding": accept})
    return Compression(lambda _request: answer)(request)


def test_pages_and_json_are_small() -> None:
    for kind in ("text/html; charset=utf-8", "application/json"):
        answer = sent(HttpResponse(WORDS, content_type=kind))
        assert answer.headers["Content-Encoding"] == "gzip"
        assert "Accept-Encoding" in answer.headers["Vary"]
        assert gzip.decompress(answer.content).decode() == WORDS
        assert int(answer.headers["Content-Length"]) == len(answer.content) < len(WORDS) / 2


def test_who_does_not_ask_for_it_gets_plain_words() -> None:
    answer = sent(HttpResponse(WORDS), accept="identity")
    assert answer.content.decode() == WORDS
    assert "Content-Encoding" not in answer.headers


def test_equal_pages_differ_in_length() -> None:
    """So the length of one tells nothing of what is in it."""
    lengths = {len(sent(HttpResponse(WORDS)).content) for _ in range(50)}
    assert len(lengths) > 1


def test_downloads_go_as_they_are() -> None:
    def pieces() -> Iterator[bytes]:
        yield WORDS.encode()

    for kind in ("application/octet-stream", "text/csv"):
        answer = sent(StreamingHttpResponse(pieces(), content_type=kind))
        assert "Content-Encoding" not in answer.headers
        assert b"".join(answer.streaming_content).decode() == WORDS


def test_an_unchanged_part_is_still_recognised() -> None:
    """The ETag becomes a weak one, which If-None-Match compares all the same."""
    answer = HttpResponse(WORDS, headers={"ETag": '"abc"'})
    assert sent(answer).headers["ETag"] == 'W/"abc"'


def test_the_server_compresses(client: Client, db: None) -> None:
    answer = client.get("/login/", headers={"Accept-Encoding": "gzip"})
    assert answer.headers["Content-Encoding"] == "gzip"
    assert b"csrfmiddlewaretoken" in gzip.decompress(answer.content)

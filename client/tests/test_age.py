"""An older client names the version that the server needs, after a refused request."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from benchlab_client import age, cli
from benchlab_client.client import Client


def server(least: Any) -> httpx.MockTransport:
    """A server that refuses everything except its version."""

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/version/"):
            return httpx.Response(200, json={"min_client": least})
        error = {"kind": "invalid", "message": "There is no such filter.", "fields": {}}
        return httpx.Response(400, json={"error": error})

    return httpx.MockTransport(answer)


@pytest.mark.parametrize(
    ("mine", "least", "needed"),
    [
        ("0.2.0", "0.3.0", "0.3.0"),
        ("0.9.0", "0.10.0", "0.10.0"),
        ("0.3.0", "0.3.0", ""),
        ("0.3.0.dev0", "0.3.0", ""),
        ("1.0.0", "0.3.0", ""),
        ("0.3.0", "", ""),
        ("0.3.0", "unknown", ""),
    ],
)
def test_min_client_is_named_if_this_one_is_older(
    monkeypatch: pytest.MonkeyPatch, mine: str, least: str, needed: str
) -> None:
    monkeypatch.setattr(age, "VERSION", mine)
    with Client("http://lab", "token", http=server(least)) as client:
        assert age.min_client(client) == needed


def test_refused_command_of_an_older_client_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        cli, "Client", lambda _url: Client("http://lab", "token", http=server("99.0.0"))
    )
    assert cli.main(["queue"]) == 2
    text = capsys.readouterr().err
    assert "There is no such filter." in text
    assert "the server needs 99.0.0 or newer" in text

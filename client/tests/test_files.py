"""Files that are sent, and files that arrive whole or not at all."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from benchlab_client import Client, NetworkError, UsageError
from benchlab_client.commands.import_ import _uploads
from benchlab_client.files import output_file


class Broken(httpx.SyncByteStream):
    def __iter__(self) -> Iterator[bytes]:
        yield b"half"
        raise httpx.RemoteProtocolError("connection closed")


def test_a_broken_answer_leaves_the_file_of_before(tmp_path: Path) -> None:
    file = tmp_path / "all.csv"
    file.write_text("before")

    def handler(_request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, stream=Broken())

    client = Client("http://lab", "token", http=httpx.MockTransport(handler))
    with pytest.raises(NetworkError, match="ended early"), output_file(str(file)) as output:
        client.measurements(run=1).export(output)
    assert file.read_text() == "before"
    assert list(tmp_path.iterdir()) == [file]


def test_a_folder_may_have_more_files_than_descriptors(tmp_path: Path) -> None:
    contents = {f"folder/{n:03}.txt": f"{n}\n".encode() * 9 for n in range(300)}
    for name, content in contents.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
    bodies: list[httpx.Request] = []

    def handler(request: httpx.Request) -> httpx.Response:
        request.read()
        bodies.append(request)
        return httpx.Response(200, json={})

    client = Client("http://lab", "token", http=httpx.MockTransport(handler))
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (100, hard))
    try:
        client.upload(_uploads([str(tmp_path / "folder")]))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    body = bodies[0].read()
    assert int(bodies[0].headers["Content-Length"]) == len(body)
    places = [body.index(content) for content in contents.values()]
    assert places == sorted(places)


def test_an_unreadable_file_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        _uploads([str(tmp_path / "absent")])
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match="no files"):
        _uploads([str(tmp_path / "empty")])

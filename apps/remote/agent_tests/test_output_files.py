"""Reading a job's files by offset, and following them while they grow."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from apps.remote.agent_tests.client import Client


def test_a_piece_by_offset_and_the_size(client: Client) -> None:
    attempt = client.run(["printf", "0123456789"])["attempt"]
    message, payload = client.pieces("read", attempt=attempt, file="stdout", offset=3, length=4)[0]
    assert (message["size"], payload) == (10, b"3456")
    message, payload = client.pieces("read", attempt=attempt, file="stdout", offset=99)[0]
    assert (message["size"], payload) == (10, b"")


def test_every_byte_comes_as_it_is(client: Client) -> None:
    data = bytes(range(256))
    script = 'for i in $(seq 0 255); do printf "\\\\$(printf %03o $i)"; done'
    attempt = client.run(["sh", "-c", script])["attempt"]
    assert client.read(attempt, "stdout") == data


def test_files_are_listed_with_size_and_hash(client: Client) -> None:
    done = client.run(
        ["sh", "-c", "echo out; echo err >&2; echo {} > result.json; mkdir d; ln -s / l"]
    )
    listed = {entry["name"]: entry for entry in done["files"]}
    assert set(listed) == {"stdout", "stderr", "result.json", "host.log"}
    assert listed["stdout"]["sha256"] == hashlib.sha256(b"out\n").hexdigest()
    assert listed["result.json"]["size"] == 3


def test_no_hash_is_given_while_somebody_can_write(client: Client) -> None:
    attempt = client.start(["sleep", "0.5"])
    running = client.good("status", attempt=attempt)
    assert {entry["sha256"] for entry in running["files"]} == {None}
    assert None not in {e["sha256"] for e in client.good("wait", attempt=attempt)["files"]}


@pytest.mark.parametrize("name", ["../spec.json", "/etc/passwd", ".", "..", "", "a/b", "x\0"])
def test_only_plain_names_are_read(client: Client, name: str) -> None:
    attempt = client.run(["true"])["attempt"]
    assert client.ask("read", attempt=attempt, file=name)["error"] == "bad-request"


def test_links_pipes_and_folders_are_not_read(client: Client) -> None:
    attempt = client.run(["sh", "-c", "ln -s /etc/passwd link; mkfifo pipe; mkdir folder"])[
        "attempt"
    ]
    for name in ("link", "pipe", "folder", "absent"):
        assert client.ask("read", attempt=attempt, file=name)["error"] == "absent"


def test_follow_gives_pieces_while_the_job_runs_and_its_status_at_the_end(client: Client) -> None:
    script = "for i in 1 2 3; do echo $i; echo e$i >&2; sleep 0.4; done"
    attempt = client.start(["sh", "-c", script])
    frames = client.pieces("follow", attempt=attempt, offsets={"stdout": 2, "stderr": 0})
    pieces = {"stdout": b"", "stderr": b""}
    for message, payload in frames[:-1]:
        begin = 2 if message["file"] == "stdout" else 0
        assert message["offset"] == begin + len(pieces[message["file"]])
        pieces[message["file"]] += payload
    assert pieces == {"stdout": b"2\n3\n", "stderr": b"e1\ne2\ne3\n"}
    assert len(frames) > 4
    assert frames[-1][0]["state"] == "done"


def test_follow_of_a_finished_job_gives_the_rest_at_once(client: Client) -> None:
    attempt = client.run(["echo", "all"])["attempt"]
    frames = client.pieces("follow", attempt=attempt, offsets={"stdout": 0, "later.log": 0})
    assert [payload for _, payload in frames] == [b"all\n", b""]
    assert frames[-1][0]["state"] == "done"


def test_follow_with_max_bytes_sends_no_more(client: Client) -> None:
    attempt = client.run(["head", "-c", "1000000", "/dev/zero"])["attempt"]
    asked = {"stderr": 0, "stdout": 7}
    frames = client.pieces("follow", attempt=attempt, offsets=asked, max_bytes=300_000)
    assert sum(len(payload) for _, payload in frames) == 300_000
    assert frames[-1][0]["state"] == "done"


def test_a_file_that_appears_later_is_followed_too(client: Client) -> None:
    attempt = client.start(["sh", "-c", "sleep 0.4; echo late > live.log"])
    frames = client.pieces("follow", attempt=attempt, offsets={"live.log": 0})
    assert b"".join(payload for _, payload in frames) == b"late\n"


def test_the_job_folder_is_private(client: Client, base: Path) -> None:
    attempt = client.run(["touch", "made"])["attempt"]
    folder = base / "jobs" / attempt
    assert folder.stat().st_mode & 0o077 == 0
    assert (folder / "made").stat().st_mode & 0o077 == 0

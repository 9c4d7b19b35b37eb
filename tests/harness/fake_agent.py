"""Fake agent of a faulty host: runs instead of python3 and changes the real agent's responses.

Standard library only: `fake_agent.py FOLDER PYTHON-ARGUMENTS`. FOLDER/lie names the change (LIES,
read for each response). FOLDER/asked receives a line for each verb that benchlab sends.
"""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

JSON = dict[str, Any]
HEADER = struct.Struct(">II")


def main(folder: Path, arguments: list[str]) -> int:
    """Relay between benchlab and its agent; run any other Python command unchanged."""
    command = [sys.executable, *arguments]
    if "serve" not in arguments:
        os.execv(command[0], command)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as agent:
        assert agent.stdin
        assert agent.stdout
        asked: dict[Any, str] = {}
        passing = (folder, sys.stdin.buffer, agent.stdin, asked)
        threading.Thread(target=pass_requests, args=passing, daemon=True).start()
        pass_answers(folder, agent.stdout, sys.stdout.buffer, asked)
        return agent.wait()


def pass_requests(folder: Path, source: IO[bytes], sink: IO[bytes], asked: dict[Any, str]) -> None:
    """Forward requests; record their verbs by message id."""
    with sink:
        while frame := read_frame(source):
            message = json.loads(frame[0])
            asked[message["id"]] = message["verb"]
            note(folder, message["verb"])
            write_frame(sink, *frame)


def note(folder: Path, verb: str) -> None:
    """Append a verb to FOLDER/asked; the hello message counts as one."""
    with (folder / "asked").open("a") as log:
        log.write(verb + "\n")


def pass_answers(folder: Path, source: IO[bytes], sink: IO[bytes], asked: dict[Any, str]) -> None:
    """Forward responses, changed as FOLDER/lie says."""
    for _line in range(2):  # an empty one, and the token
        sink.write(source.readline())
    note(folder, "hello")
    while frame := read_frame(source):
        message = json.loads(frame[0])
        verb = "hello" if "hello" in message else asked.get(message["id"], "")
        change = LIES.get((folder / "lie").read_text())
        text = change(verb, message) if change and message.get("ok", True) else frame[0]
        write_frame(sink, text if isinstance(text, bytes) else json.dumps(text).encode(), frame[1])


def read_frame(source: IO[bytes]) -> tuple[bytes, bytes] | None:
    """One frame's JSON and payload (docs/development/agent.md); None at the end."""
    header = source.read(HEADER.size)
    if len(header) < HEADER.size:
        return None
    size, payload = HEADER.unpack(header)
    return source.read(size), source.read(payload)


def write_frame(sink: IO[bytes], text: bytes, payload: bytes) -> None:
    """One frame, at once."""
    sink.write(HEADER.pack(len(text), len(payload)) + text + payload)
    sink.flush()


def started_as_text(_verb: str, message: JSON) -> JSON:
    """The moment a test started at is a word."""
    exit_ = message.get("exit")
    return message | {"exit": exit_ | {"started": "yesterday"}} if exit_ else message


def facts_not_finite(verb: str, message: JSON) -> JSON:
    """A number in the facts is none."""
    if verb != "facts":
        return message
    return message | {"facts": message["facts"] | {"uptime": float("nan")}}


def facts_nested(verb: str, message: JSON) -> JSON | bytes:
    """Facts 700 levels deep."""
    if verb != "facts":
        return message
    deep = b'{"a":' * 700 + b"1" + b"}" * 700
    return b'{"id":%d,"ok":true,"facts":{"cpu":%s}}' % (message["id"], deep)


def hello_without_clock(verb: str, message: JSON) -> JSON:
    """The greeting says nothing of the time."""
    return without(message, "realtime") if verb == "hello" else message


def ping_without_clock(verb: str, message: JSON) -> JSON:
    """A ping is answered without the time."""
    return without(message, "realtime") if verb == "ping" else message


def huge_file(_verb: str, message: JSON) -> JSON:
    """An output file of a terabyte."""
    return with_files(message, lambda files: [f | {"size": 10**12} for f in files])


def wrong_hash(_verb: str, message: JSON) -> JSON:
    """Files that are others than those that arrive."""
    return with_files(message, lambda files: [f | {"sha256": "0" * 64} for f in files])


def many_files(_verb: str, message: JSON) -> JSON:
    """Many output files."""
    return with_files(message, lambda _: named(100_000))


def half_a_million_files(_verb: str, message: JSON) -> JSON:
    """As many output files as an answer has bytes for."""
    return with_files(message, lambda _: named(500_000))


def a_million_files(_verb: str, message: JSON) -> JSON:
    """More output files than an answer has bytes for."""
    return with_files(message, lambda _: named(1_000_000))


def with_files(message: JSON, change: Callable[[list[JSON]], list[JSON]]) -> JSON:
    """The answer about an ended job with other files."""
    if message.get("state") != "done":
        return message
    return message | {"files": change(message["files"])}


def named(count: int) -> list[JSON]:
    """So many small files."""
    return [{"name": str(number), "size": 1} for number in range(count)]


def without(message: JSON, name: str) -> JSON:
    """The answer without one of its parts."""
    return {key: value for key, value in message.items() if key != name}


LIES: dict[str, Callable[[str, JSON], JSON | bytes]] = {
    change.__name__: change
    for change in (
        started_as_text,
        facts_not_finite,
        facts_nested,
        hello_without_clock,
        ping_without_clock,
        huge_file,
        wrong_hash,
        many_files,
        half_a_million_files,
        a_million_files,
    )
}

if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))

"""A small blocking client of the agent's frames, for tests: one request at a time, or several by
number.
"""

from __future__ import annotations

import io
import json
import os
import py_compile
import struct
import subprocess
import sys
import tempfile
import uuid
import zipfile
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from apps.remote.build import agent

Message = dict[str, Any]
"""A frame's object as it stands on the wire: tests send and get also what no type allows."""
HEADER = struct.Struct(">II")
TOKEN = "token-for-tests"
ATTEMPT = f"attempt-{uuid.uuid4()}"
"""Of this process alone: the agent finds an attempt's processes on the whole machine."""
UNCHECKED = py_compile.PycInvalidationMode.UNCHECKED_HASH


@lru_cache(maxsize=1)
def compiled() -> bytes:
    """The agent's file with bytecode of this Python beside the sources: reading them takes more
    than half of the processor time of a session's start. Another Python reads the sources.
    """
    whole = io.BytesIO(agent().data)
    with zipfile.ZipFile(whole, "a") as archive, tempfile.TemporaryDirectory() as folder:
        source, code = Path(folder, "source.py"), Path(folder, "code.pyc")
        for name in archive.namelist():
            source.write_bytes(archive.read(name))
            py_compile.compile(str(source), str(code), name, invalidation_mode=UNCHECKED)
            archive.write(code, f"{name}c")
    return whole.getvalue()


class Client:
    """An open session with an agent on this machine."""

    def __init__(
        self,
        base: Path,
        env: Mapping[str, str] | None = None,
        python: str = sys.executable,
        program_bytes: bytes | None = None,
    ) -> None:
        base.mkdir(exist_ok=True, parents=True)
        program = base / agent().name
        if not program.exists():
            program.write_bytes(program_bytes or compiled())
        self.base = base
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115  it lives as long as the session
        self.process = subprocess.Popen(
            [python, "-I", str(program), "serve", TOKEN],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            env={**os.environ, "BENCHLAB_AGENT_DIR": str(base), **(env or {})},
        )
        self.stdin, self.stdout = pipe(self.process.stdin), pipe(self.process.stdout)
        while (line := self.stdout.readline()).strip() != TOKEN.encode():
            assert line, "the agent ended before its token"
        self.hello = self.receive()[0]
        self.number = 0

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the session as a cut connection does."""
        self.stdin.close()
        self.process.wait(10)
        self.stdout.close()
        self.errors.close()

    def send(self, verb: str, **fields: Any) -> int:
        """Send a request; its number."""
        self.number += 1
        text = json.dumps({"id": self.number, "verb": verb, **fields}).encode()
        self.stdin.write(HEADER.pack(len(text), 0) + text)
        self.stdin.flush()
        return self.number

    def receive(self) -> tuple[Message, bytes]:
        """The next frame of any request."""
        lengths = HEADER.unpack(self.stdout.read(HEADER.size))
        message: Message = json.loads(self.stdout.read(lengths[0]))
        return message, self.stdout.read(lengths[1])

    def pieces(self, verb: str, **fields: Any) -> list[tuple[Message, bytes]]:
        """Every frame of one request, the last one too."""
        number = self.send(verb, **fields)
        frames = []
        while True:
            frame = self.receive()
            assert frame[0]["id"] == number
            frames.append(frame)
            if not frame[0].get("more"):
                return frames

    def ask(self, verb: str, **fields: Any) -> Message:
        """The answer of one request."""
        return self.pieces(verb, **fields)[-1][0]

    def good(self, verb: str, **fields: Any) -> Message:
        """The answer of one request that must succeed."""
        answer = self.ask(verb, **fields)
        assert answer["ok"], answer
        return answer

    def read(self, attempt: str, file: str) -> bytes:
        """A whole small file of a job."""
        return self.pieces("read", attempt=attempt, file=file)[-1][1]

    def start(self, *commands: list[str], **spec: Any) -> str:
        """Launch commands under a new attempt id; the id."""
        attempt = spec.pop("attempt", None) or str(uuid.uuid4())
        asked = [{"role": "main", "argv": argv} for argv in commands]
        answer = self.good("launch", spec={"attempt": attempt, "commands": asked, **spec})
        assert answer["launched"]
        return str(attempt)

    def run(self, *commands: list[str], **spec: Any) -> Message:
        """Launch and wait; the final status, with the attempt's id."""
        attempt = self.start(*commands, **spec)
        return {**self.good("wait", attempt=attempt), "attempt": attempt}


def pipe(stream: IO[bytes] | None) -> IO[bytes]:
    """A pipe that Popen was asked for."""
    assert stream is not None
    return stream

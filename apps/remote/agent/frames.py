"""Frames: two big-endian 32-bit lengths (JSON, payload), the JSON object, the payload's raw
bytes.
"""

import contextlib
import fcntl
import json
import os
import struct
import tempfile
from typing import IO, Optional, Tuple

from .errors import RequestError
from .files import write_all
from .shapes import Reply, Request

HEADER = struct.Struct(">II")
LARGEST_JSON = 16 << 20
LARGEST_PAYLOAD = 64 << 20


class Channel:
    """One session's two directions, shared by the server and the processes it forks for
    requests.
    """

    def __init__(self, source: int, sink: int, folder: str) -> None:
        self.source = source
        self.sink = sink
        self.guard = guard(folder)

    def receive(self) -> Optional[Tuple[Request, bytes]]:
        """The next frame, or None at the end of input. Raises RequestError for what cannot be a
        frame.
        """
        header = self.read_exactly(HEADER.size)
        if header is None:
            return None
        lengths = HEADER.unpack(header)
        if lengths[0] > LARGEST_JSON or lengths[1] > LARGEST_PAYLOAD:
            raise RequestError("A frame of {} + {} bytes is too large.".format(*lengths))
        text, payload = self.read_exactly(lengths[0]), self.read_exactly(lengths[1])
        if text is None or payload is None:
            return None
        return decoded(text), payload

    def read_exactly(self, length: int) -> Optional[bytes]:
        """That many bytes, or None when the input ends before."""
        parts = []
        while length:
            part = os.read(self.source, min(length, 1 << 20))
            if not part:
                return None
            parts.append(part)
            length -= len(part)
        return b"".join(parts)

    def send(self, message: Reply, payload: bytes = b"") -> None:
        """One whole frame. Record locks belong to a process (fcntl(2)), so forked requests take
        turns.
        """
        text = json.dumps(message, separators=(",", ":")).encode()
        fcntl.lockf(self.guard, fcntl.LOCK_EX)
        try:
            write_all(self.sink, HEADER.pack(len(text), len(payload)) + text)
            write_all(self.sink, payload)
        finally:
            fcntl.lockf(self.guard, fcntl.LOCK_UN)


def guard(folder: str) -> IO[bytes]:
    """A file without a name to lock, in the first place that takes one: a session must begin where
    the agent's own folder has become read-only, as somebody has to give settings back there.
    """
    for place in (folder, "/dev/shm", "/run"):
        with contextlib.suppress(OSError):
            return tempfile.TemporaryFile(dir=place)
    return tempfile.TemporaryFile()


def decoded(text: bytes) -> Request:
    """The frame's object. Raises RequestError."""
    try:
        message = json.loads(text.decode("utf-8"))
    except ValueError:
        raise RequestError("The frame is not JSON.") from None
    if not isinstance(message, dict):
        raise RequestError("The frame is not a JSON object.")
    return message

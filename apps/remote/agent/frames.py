"""Frames: two big-endian 32-bit lengths (JSON, payload), the JSON object, the raw payload."""

import contextlib
import fcntl
import json
import os
import struct
import tempfile
from typing import IO, Optional, Tuple

from .errors import RequestError
from .files import write_all
from .schema import Request, Response

HEADER = struct.Struct(">II")
MAX_JSON_BYTES = 16 << 20
MAX_PAYLOAD_BYTES = 64 << 20


class Channel:
    """Both directions of a session, shared by the server and its forked requests."""

    def __init__(self, source: int, sink: int, folder: str) -> None:
        self.source = source
        self.sink = sink
        self.guard = open_write_lock(folder)

    def receive(self) -> Optional[Tuple[Request, bytes]]:
        """Return the next frame, None at the end of input. Raises: RequestError if invalid."""
        header = self.read_exactly(HEADER.size)
        if header is None:
            return None
        lengths = HEADER.unpack(header)
        if lengths[0] > MAX_JSON_BYTES or lengths[1] > MAX_PAYLOAD_BYTES:
            raise RequestError("A frame of {} + {} bytes is too large.".format(*lengths))
        text, payload = self.read_exactly(lengths[0]), self.read_exactly(lengths[1])
        if text is None or payload is None:
            return None
        return decode(text), payload

    def read_exactly(self, length: int) -> Optional[bytes]:
        """Return `length` bytes; None if the input ends before."""
        parts = []
        while length:
            part = os.read(self.source, min(length, 1 << 20))
            if not part:
                return None
            parts.append(part)
            length -= len(part)
        return b"".join(parts)

    def send(self, message: Response, payload: bytes = b"") -> None:
        """Send one frame.

        Record locks belong to a process (fcntl(2)), so forked requests exclude each other.
        """
        text = json.dumps(message, separators=(",", ":")).encode()
        fcntl.lockf(self.guard, fcntl.LOCK_EX)
        try:
            write_all(self.sink, HEADER.pack(len(text), len(payload)) + text)
            write_all(self.sink, payload)
        finally:
            fcntl.lockf(self.guard, fcntl.LOCK_UN)


def open_write_lock(folder: str) -> IO[bytes]:
    """Return an unnamed file to lock, in the first writable folder.

    A session must start even if the agent's folder is read-only, since settings must be restored.
    """
    for folder_path in (folder, "/dev/shm", "/run"):
        with contextlib.suppress(OSError):
            return tempfile.TemporaryFile(dir=folder_path)
    return tempfile.TemporaryFile()


def decode(text: bytes) -> Request:
    """Return the frame's object. Raises: RequestError."""
    try:
        message = json.loads(text.decode("utf-8"))
    except ValueError:
        raise RequestError("The frame is not JSON.") from None
    if not isinstance(message, dict):
        raise RequestError("The frame is not a JSON object.")
    return message

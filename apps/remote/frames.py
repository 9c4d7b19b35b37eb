"""The agent's framing (docs: agent.md).

Two big-endian 32-bit lengths, a JSON object, raw payload bytes.
"""

from __future__ import annotations

import json
import re
import struct

from apps.tools.messages import message

from .decode import decode_object
from .errors import InvalidResponse, host_error
from .transport import Channel

Message = dict[str, object]
"""The JSON object of a frame, not validated."""

HEADER = struct.Struct(">II")
CHUNK_BYTES = 1 << 18
MAX_JSON_BYTES = 16 << 20  # bytes; the facts of a host with hundreds of disks are some hundred KiB
MAX_PAYLOAD_BYTES = 16 << 20  # bytes; the agent sends pieces of 1 MiB at most
MAX_NOISE_BYTES = 256 << 10  # bytes a login shell may print before the marker


def encode(frame: Message, payload: bytes = b"") -> bytes:
    """Return the bytes of one frame."""
    text = json.dumps(frame, separators=(",", ":")).encode()
    return HEADER.pack(len(text), len(payload)) + text + payload


class FrameReader:
    """Reads a channel: first the marker line within the output of login shells, then frames."""

    def __init__(self, channel: Channel, host: str) -> None:
        self._channel = channel
        self._host = host
        self._buffer = bytearray()

    async def marker(self, token: str, words: tuple[str, ...]) -> str:
        """Skip to the line `TOKEN` or `TOKEN word`; return the word, "" without one.

        Raises: HostError agent if the output ends or exceeds MAX_NOISE_BYTES before the marker.
        """
        pattern = re.compile(rf"{token}(?: ({'|'.join(words)}))?\r?\n".encode())
        while not (match := pattern.search(self._buffer)):
            if len(self._buffer) > MAX_NOISE_BYTES:
                raise host_error("agent", self._host, message("its login shell prints without end"))
            if not await self._more():
                raise host_error("agent", self._host, self._start_error())
        word = (
            match[1] or b""
        ).decode()  # The match refers to the buffer, so read it before the cut.
        del self._buffer[: match.end()]
        return word

    def _start_error(self) -> str:
        reason = self._channel.last_error_line() or message("without an error message")
        return message("it did not start (%(reason)s)", reason=reason)

    async def frame(self) -> tuple[Message, bytes] | None:
        """Return the next frame, None at the end.

        Raises: HostError lost_contact; InvalidResponse if the bytes are not a frame.
        """
        if not await self._have(HEADER.size):
            return None
        text_length, payload_length = HEADER.unpack_from(self._buffer)
        if text_length > MAX_JSON_BYTES or payload_length > MAX_PAYLOAD_BYTES:
            raise InvalidResponse(self._host, message("its answer is larger than allowed"))
        end = HEADER.size + text_length + payload_length
        if not await self._have(end):
            return None
        text = bytes(self._buffer[HEADER.size : HEADER.size + text_length])
        payload = bytes(self._buffer[HEADER.size + text_length : end])
        del self._buffer[:end]
        return self._decode(text), payload

    def _decode(self, text: bytes) -> Message:
        try:
            return decode_object(text)
        except ValueError as error:
            raise InvalidResponse(
                self._host, message("its answer %(reason)s", reason=str(error))
            ) from error

    async def _have(self, size: int) -> bool:
        while len(self._buffer) < size:
            if not await self._more():
                return False
        return True

    async def _more(self) -> bool:
        data = await self._channel.read(CHUNK_BYTES)
        self._buffer += data
        return bool(data)

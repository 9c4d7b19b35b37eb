"""The agent's framing (docs: agent.md): two big-endian 32-bit lengths, a JSON object, raw payload
bytes.
"""

from __future__ import annotations

import json
import re
import struct

from apps.tools.messages import message

from .boundary import decoded
from .errors import BadAnswer, host_error
from .link import Channel

Message = dict[str, object]
"""The object of a frame, not looked into yet."""

HEADER = struct.Struct(">II")
CHUNK = 1 << 18
MAX_JSON = 16 << 20  # bytes; the facts of a host with hundreds of disks are some hundred KiB
MAX_PAYLOAD = 16 << 20  # bytes; the agent sends pieces of 1 MiB at most
MAX_NOISE = 256 << 10  # bytes a login shell may print before the agent speaks


def encode(frame: Message, payload: bytes = b"") -> bytes:
    """One frame."""
    text = json.dumps(frame, separators=(",", ":")).encode()
    return HEADER.pack(len(text), len(payload)) + text + payload


class Wire:
    """The reading side of a channel: first a marker line in whatever noise, then frames."""

    def __init__(self, channel: Channel, host: str) -> None:
        self._channel = channel
        self._host = host
        self._buffer = bytearray()

    async def marker(self, token: str, words: tuple[str, ...]) -> str:
        """Skip to the line `TOKEN` ("" is returned) or `TOKEN word`.

        Raises HostError agent when the output ends first or more than MAX_NOISE bytes of it are
        something else.
        """
        pattern = re.compile(rf"{token}(?: ({'|'.join(words)}))?\r?\n".encode())
        while not (found := pattern.search(self._buffer)):
            if len(self._buffer) > MAX_NOISE:
                raise host_error("agent", self._host, message("its login shell prints without end"))
            if not await self._more():
                raise host_error("agent", self._host, self._why_silent())
        word = (found[1] or b"").decode()  # A match looks into the buffer, so before the cut.
        del self._buffer[: found.end()]
        return word

    def _why_silent(self) -> str:
        said = self._channel.complaint() or message("and nothing was said")
        return message("it did not start (%(said)s)", said=said)

    async def frame(self) -> tuple[Message, bytes] | None:
        """The next frame, None at the end. Raises HostError lost_contact, or agent for what is no
        frame.
        """
        if not await self._have(HEADER.size):
            return None
        text_length, payload_length = HEADER.unpack_from(self._buffer)
        if text_length > MAX_JSON or payload_length > MAX_PAYLOAD:
            raise BadAnswer(self._host, message("its answer is larger than allowed"))
        end = HEADER.size + text_length + payload_length
        if not await self._have(end):
            return None
        text = bytes(self._buffer[HEADER.size : HEADER.size + text_length])
        payload = bytes(self._buffer[HEADER.size + text_length : end])
        del self._buffer[:end]
        return self._decode(text), payload

    def _decode(self, text: bytes) -> Message:
        try:
            return decoded(text)
        except ValueError as error:
            raise BadAnswer(self._host, message("its answer %(why)s", why=str(error))) from error

    async def _have(self, size: int) -> bool:
        while len(self._buffer) < size:
            if not await self._more():
                return False
        return True

    async def _more(self) -> bool:
        data = await self._channel.read(CHUNK)
        self._buffer += data
        return bool(data)

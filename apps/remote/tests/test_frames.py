"""Frames out of whatever pieces the network makes of them, and noise before them."""

from __future__ import annotations

import json
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.remote.errors import HostError
from apps.remote.frames import MAX_JSON_BYTES, MAX_NOISE_BYTES, FrameReader, encode

TOKEN = "f00dcafe"


class Recorded:
    """A channel that gives its bytes in pieces of one size."""

    def __init__(self, data: bytes, piece: int = 1 << 20) -> None:
        self._data, self._piece = data, piece

    async def read(self, size: int) -> bytes:
        given, self._data = self._data[: self._piece], self._data[self._piece :]
        return given

    async def write(self, data: bytes) -> None:
        raise AssertionError("nothing is written here")

    def last_error_line(self) -> str:
        return "sh: no such thing"

    async def close(self) -> None:
        return


def wire(data: bytes, piece: int = 1 << 20) -> FrameReader:
    return FrameReader(Recorded(data, piece), "node1")


def test_a_frame_is_two_lengths_and_their_bytes() -> None:
    assert encode({"id": 1}, b"xyz") == struct.pack(">II", 8, 3) + b'{"id":1}xyz'


@given(st.lists(st.binary(max_size=40), max_size=5), st.integers(1, 30))
async def test_frames_survive_any_cutting(payloads: list[bytes], piece: int) -> None:
    source = wire(b"".join(encode({"n": n}, p) for n, p in enumerate(payloads)), piece)
    for number, payload in enumerate(payloads):
        assert await source.frame() == ({"n": number}, payload)
    assert await source.frame() is None


async def test_half_a_frame_is_the_end() -> None:
    assert await wire(encode({"id": 1}, b"payload")[:-1]).frame() is None


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (struct.pack(">II", MAX_JSON_BYTES + 1, 0), "larger than allowed"),
        (struct.pack(">II", 2, 1 << 31), "larger than allowed"),
        (struct.pack(">II", 2, 0) + b"{]", "not JSON"),
        (struct.pack(">II", 2, 0) + b"[]", "not a JSON object"),
        (struct.pack(">II", 200000, 0) + b"[" * 200000, "not JSON"),
    ],
)
async def test_invalid_frame_is_reported(data: bytes, reason: str) -> None:
    with pytest.raises(HostError, match=reason) as raised:
        await wire(data).frame()
    assert raised.value.kind == "agent"


@pytest.mark.parametrize("noise", [b"", b"hello\n", b"no line end", b"\xff\0\x1b[2J\n", b"\n" * 99])
@pytest.mark.parametrize("piece", [1, 7, 4096])
async def test_noise_before_the_marker_is_skipped(noise: bytes, piece: int) -> None:
    source = wire(noise + f"\n{TOKEN}\n".encode() + encode({"hello": 1}), piece)
    assert await source.marker(TOKEN, ("ship",)) == ""
    assert await source.frame() == ({"hello": 1}, b"")


async def test_a_word_may_follow_the_marker() -> None:
    source = wire(f"{TOKEN} ship\r\nmore noise\n{TOKEN}\n".encode())
    assert await source.marker(TOKEN, ("ship", "nosudo")) == "ship"
    assert await source.marker(TOKEN, ("ship", "nosudo")) == ""


async def test_an_echo_of_the_command_is_no_marker() -> None:
    echo = f"+ sh -c ... {TOKEN} 06380139\n"
    source = wire(f"{echo}{TOKEN} nosudo\n".encode())
    assert await source.marker(TOKEN, ("ship", "nosudo")) == "nosudo"


async def test_endless_noise_is_given_up() -> None:
    with pytest.raises(HostError, match="prints without end"):
        await wire(b"x" * (MAX_NOISE_BYTES + 2), 65536).marker(TOKEN, ("ship",))


async def test_silence_carries_the_last_words_of_stderr() -> None:
    with pytest.raises(HostError, match="no such thing"):
        await wire(json.dumps("nothing").encode()).marker(TOKEN, ("ship",))

"""A session with one agent: concurrent requests over one channel, matched by id."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import time
from collections.abc import AsyncGenerator
from dataclasses import dataclass

from apps.tools.messages import message

from .bootstrap import start_agent
from .build import Agent, agent
from .connection import HostSpec
from .decode import convert
from .errors import AgentCommandError, HostError, InvalidResponse, host_error
from .frames import FrameReader, Message, encode
from .local import LocalTransport
from .ssh import connect
from .transport import Channel, Transport

START_SECONDS = 60.0  # from the channel to the hello, including the upload of the agent
CALL_SECONDS = 30.0
# Unread responses of one host; concurrent requests of benchlab need less.
MAX_QUEUED_BYTES = 8 << 20


@dataclass(frozen=True)
class VerbResponse:
    """One piece of a response: object without envelope, payload; `more`: not the last."""

    data: Message
    payload: bytes = b""
    more: bool = False


@dataclass(frozen=True)
class Hello:
    """First frame of an agent: its hash, Python, user and boot id, and both clocks in seconds."""

    agent: str
    python: str
    uid: int
    boot_id: str
    machine_id: str
    monotonic: float
    realtime: float
    base: str


class _Inbox:
    """Unread pieces of one response; `queued_bytes` counts their payload."""

    def __init__(self) -> None:
        self.queue: asyncio.Queue[VerbResponse | HostError] = asyncio.Queue()
        self.queued_bytes = 0

    def put(self, answer: VerbResponse) -> None:
        """Add a piece."""
        self.queued_bytes += len(answer.payload)
        self.queue.put_nowait(answer)

    async def take(self, timeout: float | None) -> VerbResponse:
        """Return the next piece.

        Raises: HostError of the request; TimeoutError after `timeout` s.
        """
        async with asyncio.timeout(timeout):
            item = await self.queue.get()
        if isinstance(item, HostError):
            raise item
        self.queued_bytes -= len(item.payload)
        return item


class Session:
    """A session with a host's agent, created by `open_session`.

    A closed session is never reopened.
    """

    def __init__(
        self, transport: Transport, channel: Channel, reader: FrameReader, hello: Hello, host: str
    ) -> None:
        self.hello = hello
        self.host = host
        self.closed = False
        self.used_at = time.monotonic()
        self._transport = transport
        self._channel = channel
        self._frames = reader
        self._ids = itertools.count(1)
        self._inboxes: dict[int, _Inbox] = {}
        self._write_lock = asyncio.Lock()
        self._read_task = asyncio.create_task(self._read())

    @property
    def pending(self) -> int:
        """Number of requests without a response."""
        return len(self._inboxes)

    async def call(
        self, verb: str, *, timeout: float | None = CALL_SECONDS, **arguments: object
    ) -> VerbResponse:
        """Send a request and return its response.

        Raises: AgentCommandError; HostError lost_contact, or timeout after `timeout` seconds.
        """
        async with contextlib.aclosing(self.stream(verb, timeout=timeout, **arguments)) as pieces:
            async for piece in pieces:
                if not piece.more:
                    return piece
        raise host_error("lost_contact", self.host, message("the response ended early"))

    async def stream(
        self, verb: str, *, timeout: float | None = None, **arguments: object
    ) -> AsyncGenerator[VerbResponse, None]:
        """Send a request and yield the pieces of its response; the last has `more` False.

        `timeout`: the longest time between two pieces in seconds.
        """
        number, inbox = next(self._ids), _Inbox()
        self._inboxes[number] = inbox
        try:
            await self._send({"id": number, "verb": verb, **arguments})
            while True:
                piece = await inbox.take(timeout)
                yield piece
                if not piece.more:
                    return
        except TimeoutError as error:
            raise host_error(
                "timeout", self.host, message("%(verb)s got no response", verb=verb)
            ) from error
        finally:
            self._inboxes.pop(number, None)
            self.used_at = time.monotonic()

    async def _send(self, frame: Message) -> None:
        if self.closed:
            raise host_error("lost_contact", self.host, message("the session is over"))
        async with asyncio.timeout(CALL_SECONDS), self._write_lock:
            await self._channel.write(encode(frame))

    async def _read(self) -> None:
        """Deliver frames until the channel ends, then fail all pending requests."""
        try:
            while frame := await self._frames.frame():
                self._deliver(*frame)
            reason = self._channel.last_error_line()
            error = host_error(
                "lost_contact", self.host, reason or message("the agent's session ended")
            )
        except HostError as caught:
            error = caught
        self.closed = True
        for inbox in self._inboxes.values():
            inbox.queue.put_nowait(error)

    def _deliver(self, frame: Message, payload: bytes) -> None:
        number = frame.pop("id", None)
        if not isinstance(number, int) or number not in self._inboxes:
            return  # The caller timed out.
        inbox = self._inboxes[number]
        more = bool(frame.pop("more", False))
        if frame.pop("ok", False) is not True:
            kind, text = str(frame.get("error", "")), str(frame.get("message", ""))
            inbox.queue.put_nowait(AgentCommandError(self.host, kind, text))
            return
        inbox.put(VerbResponse(frame, payload, more))
        if sum(each.queued_bytes for each in self._inboxes.values()) > MAX_QUEUED_BYTES:
            del self._inboxes[number]
            reason = message("output piles up here faster than it is stored")
            inbox.queue.put_nowait(host_error("busy", self.host, reason))

    async def close(self) -> None:
        """Close the session and its transport within seconds; jobs on the host continue.

        Never raises.
        """
        self.closed = True
        with contextlib.suppress(HostError):
            await self._channel.close()
        await self._transport.close()
        self._read_task.cancel()
        await asyncio.gather(self._read_task, return_exceptions=True)
        for inbox in self._inboxes.values():
            inbox.queue.put_nowait(
                host_error("lost_contact", self.host, message("the session was closed"))
            )


async def open_session(spec: HostSpec) -> Session:
    """Log in, install the agent if it is absent, and start a session. Raises: HostError."""
    transport: Transport = LocalTransport(spec.name) if spec.local else await connect(spec)
    try:
        async with asyncio.timeout(START_SECONDS):
            return await _start_session(transport, spec, agent())
    except TimeoutError as error:
        await transport.close()
        raise host_error("timeout", spec.name, message("the agent did not start")) from error
    except BaseException:
        await transport.close()
        raise


async def _start_session(transport: Transport, spec: HostSpec, expected: Agent) -> Session:
    channel, reader = await start_agent(transport, expected, spec.become, spec.name)
    try:
        hello = await _hello(channel, reader, spec, expected)
    except BaseException:
        await channel.close()
        raise
    return Session(transport, channel, reader, hello, spec.name)


async def _hello(channel: Channel, reader: FrameReader, spec: HostSpec, expected: Agent) -> Hello:
    """Return the first frame after checking the agent's hash and the user.

    A session that ends before it without an error message counts as lost contact and is retried.
    """
    frame = await reader.frame()
    if frame is None:
        error_line = channel.last_error_line()
        if not error_line:
            early = message("it ended before its hello")
            raise host_error("lost_contact", spec.name, early)
        detail = message("it ended before its hello (%(reason)s)", reason=error_line)
        raise host_error("agent", spec.name, detail)
    if frame[0].get("hello") != 1:
        raise host_error("agent", spec.name, message("it sent no hello"))
    try:
        hello = convert(frame[0], Hello, "its hello")
    except ValueError as error:
        raise InvalidResponse(spec.name, str(error)) from error
    if hello.agent != expected.sha256:
        raise host_error("agent", spec.name, message("another agent than the one sent answers"))
    if spec.become != "user" and hello.uid != 0:
        raise host_error("no_sudo", spec.name, message("it is user %(uid)d there", uid=hello.uid))
    return hello

"""One talk with one agent: many requests at a time over one channel, told apart by their ids."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import time
from collections.abc import AsyncGenerator
from dataclasses import dataclass

from apps.tools.messages import message

from .bootstrap import start_agent
from .boundary import typed
from .build import Agent, agent
from .connection import HostSpec
from .errors import AgentRefusal, BadAnswer, HostError, host_error
from .frames import Message, Wire, encode
from .link import Channel, HostLink
from .local import LocalLink
from .ssh import connect

START_SECONDS = 60.0  # from the channel to the hello, with the agent's file sent over a slow line
CALL_SECONDS = 30.0
# What one host's answers may pile up while their readers do something else: all that is asked for
# at once is less.
PILED_BYTES = 8 << 20


@dataclass(frozen=True)
class VerbAnswer:
    """One piece of the agent's answer: the object without its envelope, the payload, and whether
    more pieces follow.
    """

    data: Message
    payload: bytes = b""
    more: bool = False


@dataclass(frozen=True)
class Hello:
    """The agent that answers: its agent's hash, its Python, user and boot, and both of its clocks
    in seconds.
    """

    agent: str
    python: str
    uid: int
    boot_id: str
    machine_id: str
    monotonic: float
    realtime: float
    base: str


class _Inbox:
    """The pieces of one request that nobody has taken yet; `held` bytes of them."""

    def __init__(self) -> None:
        self.queue: asyncio.Queue[VerbAnswer | HostError] = asyncio.Queue()
        self.held = 0

    def put(self, answer: VerbAnswer) -> None:
        """One piece more."""
        self.held += len(answer.payload)
        self.queue.put_nowait(answer)

    async def take(self, timeout: float | None) -> VerbAnswer:
        """The next piece. Raises the request's HostError, or TimeoutError after timeout seconds."""
        async with asyncio.timeout(timeout):
            item = await self.queue.get()
        if isinstance(item, HostError):
            raise item
        self.held -= len(item.payload)
        return item


class Session:
    """A host's agent, ready to be asked. Made by `open_session`; once `closed` it stays so."""

    def __init__(
        self, link: HostLink, channel: Channel, wire: Wire, hello: Hello, host: str
    ) -> None:
        self.hello = hello
        self.host = host
        self.closed = False
        self.used = time.monotonic()
        self._link = link
        self._channel = channel
        self._wire = wire
        self._ids = itertools.count(1)
        self._inboxes: dict[int, _Inbox] = {}
        self._writing = asyncio.Lock()
        self._reader = asyncio.create_task(self._read())

    @property
    def pending(self) -> int:
        """Requests under way."""
        return len(self._inboxes)

    async def call(
        self, verb: str, *, timeout: float | None = CALL_SECONDS, **arguments: object
    ) -> VerbAnswer:
        """One request, one answer. Raises AgentRefusal, HostError lost_contact, or timeout after
        `timeout` seconds.
        """
        async with contextlib.aclosing(self.stream(verb, timeout=timeout, **arguments)) as pieces:
            async for piece in pieces:
                if not piece.more:
                    return piece
        raise host_error("lost_contact", self.host, message("the answer ended early"))

    async def stream(
        self, verb: str, *, timeout: float | None = None, **arguments: object
    ) -> AsyncGenerator[VerbAnswer, None]:
        """The answer piece by piece; the last has `more` False. `timeout` is the longest silence,
        in seconds.
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
                "timeout", self.host, message("%(verb)s got no answer", verb=verb)
            ) from error
        finally:
            self._inboxes.pop(number, None)
            self.used = time.monotonic()

    async def _send(self, frame: Message) -> None:
        if self.closed:
            raise host_error("lost_contact", self.host, message("the session is over"))
        async with asyncio.timeout(CALL_SECONDS), self._writing:
            await self._channel.write(encode(frame))

    async def _read(self) -> None:
        """Deliver frames until there are none; then every request under way fails."""
        try:
            while frame := await self._wire.frame():
                self._deliver(*frame)
            said = self._channel.complaint()
            error = host_error(
                "lost_contact", self.host, said or message("the agent's session ended")
            )
        except HostError as reason:
            error = reason
        self.closed = True
        for inbox in self._inboxes.values():
            inbox.queue.put_nowait(error)

    def _deliver(self, frame: Message, payload: bytes) -> None:
        number = frame.pop("id", None)
        if not isinstance(number, int) or number not in self._inboxes:
            return  # Its reader has given up waiting.
        inbox = self._inboxes[number]
        more = bool(frame.pop("more", False))
        if frame.pop("ok", False) is not True:
            kind, text = str(frame.get("error", "")), str(frame.get("message", ""))
            inbox.queue.put_nowait(AgentRefusal(self.host, kind, text))
            return
        inbox.put(VerbAnswer(frame, payload, more))
        if sum(each.held for each in self._inboxes.values()) > PILED_BYTES:
            del self._inboxes[number]
            reason = message("output piles up here faster than it is stored")
            inbox.queue.put_nowait(host_error("busy", self.host, reason))

    async def close(self) -> None:
        """End the session and its link; what runs on the host runs on. Never raises, takes
        seconds at most.
        """
        self.closed = True
        with contextlib.suppress(HostError):
            await self._channel.close()
        await self._link.close()
        self._reader.cancel()
        await asyncio.gather(self._reader, return_exceptions=True)
        for inbox in self._inboxes.values():
            inbox.queue.put_nowait(
                host_error("lost_contact", self.host, message("the session was closed"))
            )


async def open_session(spec: HostSpec) -> Session:
    """Log in, make sure the agent is there, and greet it. Raises HostError."""
    link: HostLink = LocalLink(spec.name) if spec.local else await connect(spec)
    try:
        async with asyncio.timeout(START_SECONDS):
            return await _greet(link, spec, agent())
    except TimeoutError as error:
        await link.close()
        raise host_error("timeout", spec.name, message("the agent did not start")) from error
    except BaseException:
        await link.close()
        raise


async def _greet(link: HostLink, spec: HostSpec, wanted: Agent) -> Session:
    channel, wire = await start_agent(link, wanted, spec.become, spec.name)
    try:
        hello = await _hello(channel, wire, spec, wanted)
    except BaseException:
        await channel.close()
        raise
    return Session(link, channel, wire, hello, spec.name)


async def _hello(channel: Channel, wire: Wire, spec: HostSpec, wanted: Agent) -> Hello:
    """The first frame, checked: the agent we sent, and the rights we asked for. A session that ends
    before it without a word is contact lost, as in the middle of a talk: it is tried again.
    """
    frame = await wire.frame()
    if frame is None:
        said = channel.complaint()
        if not said:
            early = message("it ended before it said hello")
            raise host_error("lost_contact", spec.name, early)
        why = message("it ended before it said hello (%(said)s)", said=said)
        raise host_error("agent", spec.name, why)
    if frame[0].get("hello") != 1:
        raise host_error("agent", spec.name, message("it did not say hello"))
    try:
        hello = typed(frame[0], Hello, "its hello")
    except ValueError as error:
        raise BadAnswer(spec.name, str(error)) from error
    if hello.agent != wanted.sha256:
        raise host_error("agent", spec.name, message("another agent than the one sent answers"))
    if spec.become != "user" and hello.uid != 0:
        raise host_error("no_sudo", spec.name, message("it is user %(uid)d there", uid=hello.uid))
    return hello

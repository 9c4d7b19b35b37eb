"""Seats are handed out in order, refused at once when too many wait, and never lost."""

from __future__ import annotations

import asyncio
import threading

import pytest

from benchlab.web.seats import Full, Lanes, Seat, Seats

LONG = 60.0


async def settle() -> None:
    """Until threads have told the loop that they are free."""
    for _ in range(20):
        await asyncio.sleep(0.005)


async def test_whoever_came_first_is_served_first() -> None:
    seats = Seats(1, waiting=2, patience=LONG)
    first = await seats.take()
    order: list[str] = []

    async def wait(name: str) -> None:
        seat = await seats.take()
        order.append(name)
        seat.leave()

    second, third = asyncio.create_task(wait("second")), asyncio.create_task(wait("third"))
    await settle()
    assert order == []
    first.leave()
    await asyncio.gather(second, third)
    assert order == ["second", "third"]


async def test_too_many_are_refused_at_once() -> None:
    seats = Seats(1, waiting=1, patience=LONG)
    held = await seats.take()
    waiting = asyncio.create_task(seats.take())
    await settle()
    with pytest.raises(Full):
        await seats.take()
    held.leave()
    assert isinstance(await waiting, Seat)


async def test_nobody_waits_longer_than_the_patience() -> None:
    seats = Seats(1, waiting=1, patience=0.01)
    held = await seats.take()
    with pytest.raises(Full):
        await seats.take()
    held.leave()
    await settle()
    assert (await seats.take()).executor is held.executor


async def test_a_seat_given_to_somebody_who_left_is_not_lost() -> None:
    seats = Seats(1, waiting=2, patience=LONG)
    held = await seats.take()
    gone = asyncio.create_task(seats.take())
    await settle()
    seats.give(held.executor)  # in the same moment in which the client goes
    gone.cancel()
    with pytest.raises(asyncio.CancelledError):
        await gone
    assert (await seats.take()).executor is held.executor


async def test_a_seat_is_free_when_its_thread_is() -> None:
    """A request whose client is gone ends before the thread does that works on it."""
    seats, go = Seats(1, waiting=1, patience=LONG), threading.Event()
    seat = await seats.take()
    seat.executor.submit(go.wait)
    seat.leave()
    seat.leave()
    await settle()
    following = asyncio.create_task(seats.take())
    await settle()
    assert not following.done()
    go.set()
    await following
    with pytest.raises(Full):  # leaving twice made no second seat
        async with asyncio.timeout(LONG):
            await asyncio.gather(seats.take(), seats.take())


def test_a_server_has_a_seat() -> None:
    with pytest.raises(ValueError, match="at least one"):
        Seats(0, waiting=1, patience=LONG)


def test_lanes_take_turns() -> None:
    lanes = Lanes(2)
    first, second = lanes.next(), lanes.next()
    assert first is not second
    assert lanes.next() is first

"""Large output is read by a process of its own (`manage.py publish_attempt`).

What reading costs is then known: the kernel refuses that process more than MOST_MEMORY, its time is
bounded, it holds up nobody else's work in the worker, and all of it is given back at its end. It
writes the result itself, under the worker's fence, so nothing large comes back here.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from asyncio.subprocess import DEVNULL, PIPE, Process

from apps.common.subprocess_limits import (
    DATABASE_UNAVAILABLE,
    END,
    MEMORY_LIMIT,
    NO_MEMORY,
    last_line,
    limited_command,
)
from apps.execution.domain.lease import RunLease
from apps.tools.messages import message

log = logging.getLogger(__name__)

# What such a process takes of the worker's budget at least: it has Django to load.
MIN_BUDGET = 16 << 20
# Seconds it may take.
TIMEOUT_SECONDS = 600.0
# How it ends where somebody else has the run, or ended it.
OVER = 76


class ParseFailed(Exception):
    """The output was not read; the message is the end of a sentence."""


async def parse_in_subprocess(lease: RunLease, attempt: object) -> int:
    """Have the stored files of an attempt read and its result written. Returns 0, AWAY or OVER.
    Raises Unread.
    """
    words = ("publish_attempt", attempt, lease.run_id, lease.fence)
    command = limited_command(*words, memory=MEMORY_LIMIT)
    process = await asyncio.create_subprocess_exec(
        *command, stdin=DEVNULL, stdout=DEVNULL, stderr=PIPE
    )
    try:
        async with asyncio.timeout(TIMEOUT_SECONDS):
            said = await _last_words(process)
            code = await process.wait()
    except TimeoutError as error:
        minutes = round(TIMEOUT_SECONDS / 60)
        why = message("it could not be read within %(minutes)d minutes", minutes=minutes)
        raise ParseFailed(why) from error
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
    if code in (0, DATABASE_UNAVAILABLE, OVER):
        return code
    log.warning("attempt %s: reading its output ended with %s: %s", attempt, code, said)
    if code == NO_MEMORY:
        most = MEMORY_LIMIT >> 20
        raise ParseFailed(message("it could not be read within %(most)d MiB of memory", most=most))
    raise ParseFailed(message("reading it failed (%(why)s)", why=said or f"exit code {code}"))


async def _last_words(process: Process) -> str:
    """The last line of what it says, whatever the size of that."""
    assert process.stderr is not None
    end = b""
    while data := await process.stderr.read(1 << 16):
        end = (end + data)[-END:]
    return last_line(end)

"""Parse large output in a subprocess, `manage.py parse_attempt`.

The kernel limits its memory, its duration is bounded, it does not block other work of the worker,
and its memory is freed when it exits. It stores the result itself, with the worker's fencing token,
so no large data is returned.
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

# Bytes of the worker's budget that a subprocess takes at least, for Django.
MIN_BUDGET = 16 << 20
TIMEOUT_SECONDS = 600.0
# Exit code if the lease is lost or the attempt has ended.
OVER = 76


class ParseFailed(Exception):
    """The output was not parsed; the message is the end of a sentence."""


async def parse_in_subprocess(lease: RunLease, attempt: object) -> int:
    """Parse the stored files of an attempt and store its result.

    Returns 0, AWAY (no database) or OVER (the lease is lost, or the attempt has ended).

    Raises:
        ParseFailed: the subprocess failed, or exceeded its time or memory.
    """
    words = ("parse_attempt", attempt, lease.run_id, lease.fence)
    command = limited_command(*words, memory=MEMORY_LIMIT)
    process = await asyncio.create_subprocess_exec(
        *command, stdin=DEVNULL, stdout=DEVNULL, stderr=PIPE
    )
    try:
        async with asyncio.timeout(TIMEOUT_SECONDS):
            error = await _last_line(process)
            code = await process.wait()
    except TimeoutError as late:
        minutes = round(TIMEOUT_SECONDS / 60)
        why = message("it could not be read within %(minutes)d minutes", minutes=minutes)
        raise ParseFailed(why) from late
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
    if code in (0, DATABASE_UNAVAILABLE, OVER):
        return code
    log.warning("attempt %s: reading its output ended with %s: %s", attempt, code, error)
    if code == NO_MEMORY:
        most = MEMORY_LIMIT >> 20
        raise ParseFailed(message("it could not be read within %(most)d MiB of memory", most=most))
    raise ParseFailed(message("reading it failed (%(why)s)", why=error or f"exit code {code}"))


async def _last_line(process: Process) -> str:
    """Return the last line of its stderr, whatever its size."""
    assert process.stderr is not None
    end = b""
    while data := await process.stderr.read(1 << 16):
        end = (end + data)[-END:]
    return last_line(end)

"""Work that may take more memory than anybody foresaw is done by a process of its own: a command of
manage.py whose memory and time are bounded, and which holds up nobody else's work in the worker.
"""

from __future__ import annotations

import contextlib
import os
import resource
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from django.conf import settings
from django.core.management.base import CommandParser
from django.db import connection

from apps.remote.agent.jobs.processes import die_with_parent

# Bytes that are read in the worker itself: a second of it at worst.
IN_PROCESS_LIMIT = 4 << 20
# Bytes the process may ask for beyond what it begins with. Texts of 64 MiB took 180 MiB and 40 s;
# fio's output of 96 MiB 124 MiB and a second.
MEMORY_LIMIT = 1536 << 20
# Exit codes of a process that is not done: the database is away; there was not enough memory.
DATABASE_UNAVAILABLE, NO_MEMORY = 75, 77
# The end of its stderr that is looked at, in bytes, and the characters of a line that are shown.
END, SHOWN = 4096, 300


def limited_command(name: str, *words: object, memory: int) -> list[str]:
    """The command line of `manage.py NAME WORDS...` on this process's database."""
    bounds = (f"--database={connection.settings_dict['NAME']}", f"--memory={memory}")
    manage = str(settings.BASE_DIR / "manage.py")
    return [sys.executable, manage, name, *map(str, words), *bounds]


def add_limit_arguments(parser: CommandParser) -> None:
    """The arguments that `limited_command` gives."""
    parser.add_argument("--database", required=True, help="the worker's, on the usual server")
    parser.add_argument("--memory", type=int, required=True, help="bytes that it may take")


@contextlib.contextmanager
def limited(
    *, database: str, memory: int, is_away: Callable[[BaseException], bool]
) -> Iterator[None]:
    """Work in here is on that database and within that memory; what stops it becomes the exit code
    of this process.
    """
    _limit_this_process(memory)
    connection.settings_dict["NAME"] = database
    try:
        yield
    except MemoryError:
        sys.exit(NO_MEMORY)
    except Exception as error:
        if is_away(error):
            sys.exit(DATABASE_UNAVAILABLE)
        if "not enough memory" in str(error):  # libraries in C have errors of their own
            sys.exit(NO_MEMORY)
        raise


def last_line(stderr: bytes) -> str:
    """The last line a process said, cut to what is shown; "" where it said nothing."""
    lines = stderr[-END:].decode("utf-8", "replace").strip().splitlines()
    return lines[-1].strip()[:SHOWN] if lines else ""


def _limit_this_process(memory: int) -> None:
    """No more than so many bytes beyond what it has; the first to go when the machine has none;
    gone with the process that started it.
    """
    die_with_parent()
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * os.sysconf("SC_PAGE_SIZE") + memory
    with contextlib.suppress(ValueError, OSError):  # there is a stricter one already
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")

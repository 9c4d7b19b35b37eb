"""Subprocesses for work of unknown memory use: manage.py commands with limits."""

from __future__ import annotations

import contextlib
import errno
import os
import resource
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from django.conf import settings
from django.core.management.base import CommandParser
from django.db import connection

from apps.remote.agent.processes.start import die_with_parent

# Larger input is read in a subprocess; smaller takes the worker at most a second.
IN_PROCESS_LIMIT = 4 << 20
# Bytes that the process may allocate. Texts of 64 MiB took 180 MiB and 40 s;
# fio's output of 96 MiB 124 MiB and a second.
MEMORY_LIMIT = 1536 << 20
# Exit codes of an unfinished process: database unavailable; out of memory.
DATABASE_UNAVAILABLE, NO_MEMORY = 75, 77
# Bytes of stderr that are read, and characters of a line that are shown.
END, SHOWN = 4096, 300
# Messages of libpq and of threading, which raise errors of their own.
OUT_OF_MEMORY_TEXTS = ("not enough memory", "can't start new thread")


def limited_command(name: str, *words: object, memory: int) -> list[str]:
    """Return the command line of `manage.py NAME ARGS...` on this process's database."""
    bounds = (f"--database={connection.settings_dict['NAME']}", f"--memory={memory}")
    manage = str(settings.BASE_DIR / "manage.py")
    return [sys.executable, manage, name, *map(str, words), *bounds]


def add_limit_arguments(parser: CommandParser) -> None:
    """Add the arguments that `limited_command` passes."""
    parser.add_argument("--database", required=True, help="the worker's, on the usual server")
    parser.add_argument("--memory", type=int, required=True, help="bytes that it may take")


@contextlib.contextmanager
def limited(
    *, database: str, memory: int, is_away: Callable[[BaseException], bool]
) -> Iterator[None]:
    """Use the given database and memory limit inside the context; failures become exit codes."""
    _limit_this_process(memory)
    connection.settings_dict["NAME"] = database
    try:
        yield
    except MemoryError:
        sys.exit(NO_MEMORY)
    except Exception as error:
        if is_away(error):
            sys.exit(DATABASE_UNAVAILABLE)
        if is_out_of_memory(error):
            sys.exit(NO_MEMORY)
        raise


def is_out_of_memory(error: BaseException) -> bool:
    """Return True for a failed allocation: system calls and C libraries raise no MemoryError."""
    no_memory = isinstance(error, OSError) and error.errno == errno.ENOMEM
    return no_memory or any(text in str(error) for text in OUT_OF_MEMORY_TEXTS)


def last_line(stderr: bytes) -> str:
    """Return the last line of stderr, shortened; "" without one."""
    lines = stderr[-END:].decode("utf-8", "replace").strip().splitlines()
    return lines[-1].strip()[:SHOWN] if lines else ""


def _limit_this_process(memory: int) -> None:
    """Limit memory (bytes more than now), be the OOM killer's choice, die with the parent."""
    die_with_parent()
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * os.sysconf("SC_PAGE_SIZE") + memory
    with contextlib.suppress(ValueError, OSError):  # a stricter limit is set
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")

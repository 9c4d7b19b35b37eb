"""A process of its own for what may take more memory than anybody foresaw."""

from __future__ import annotations

import contextlib
import os
import resource
from pathlib import Path

from apps.remote.agent.processes import die_with_parent

# How it ends when it is not done: the database is away; there was not enough memory.
AWAY, NO_MEMORY = 75, 77


def bound_this_process(memory: int) -> None:
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

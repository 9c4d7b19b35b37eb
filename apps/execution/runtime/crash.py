"""Step boundaries at which tests kill the worker: `BENCHLAB_CRASH_AT=<name>` ends the process with
SIGKILL at that step boundary.
"""

from __future__ import annotations

import os
import signal

from django.conf import settings

BOUNDARIES = (
    "run-started",
    "attempt-opened",
    "preflight-done",
    "launched",
    "ended",
    "collected",
    "parsed",
    "closed",
    "cleared",
    "run-finished",
)
# More of them where several hosts take part.
SHARED_BOUNDARIES = ("all-ready", "listening", "released", "stopped")
# And where a rule adds blocks to the run (apps.runs.services.stopping_rules).
RULE_BOUNDARIES = ("block-asked", "block-added")


def crash_point(name: str) -> None:
    """Die here, as the power supply would have it, if the environment asks for it."""
    assert name in (*BOUNDARIES, *SHARED_BOUNDARIES, *RULE_BOUNDARIES), name
    if name == settings.BENCHLAB_CRASH_AT:
        os.kill(os.getpid(), signal.SIGKILL)

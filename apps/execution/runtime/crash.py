"""Crash points: with `BENCHLAB_CRASH_POINT=<name>` the process kills itself there, for tests."""

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
# With several hosts.
SHARED_BOUNDARIES = (
    "settings-applied",
    "background-settled",
    "all-ready",
    "listening",
    "released",
    "stopped",
)
# If a stopping rule adds blocks to the run (apps.runs.services.stopping_rules).
RULE_BOUNDARIES = ("block-asked", "block-added")


def crash_point(name: str) -> None:
    """Kill the process if BENCHLAB_CRASH_POINT names this point."""
    assert name in (*BOUNDARIES, *SHARED_BOUNDARIES, *RULE_BOUNDARIES), name
    if name == settings.BENCHLAB_CRASH_POINT:
        os.kill(os.getpid(), signal.SIGKILL)

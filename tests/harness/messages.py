"""A process of xdist tells the first one only what is looked at there.

It sends six messages for each test. That the test begins, that it has ended, and that its set-up
and its tear-down passed say nothing that the report of the test does not; to read them was half of
the first process's work.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

SLOW = 0.5
"""Seconds: what took as long may be one of --durations."""
Send = Callable[..., None]


def pytest_configure(config: pytest.Config) -> None:
    """Where each test is named (`-v`), all of it is told."""
    if hasattr(config, "workerinput") and config.option.verbose <= 0:
        # xdist gives its code to the process as text: the class has no importable name.
        plugins: set[Any] = set(config.pluginmanager.get_plugins())
        (teller,) = (each for each in plugins if type(each).__name__ == "WorkerInteractor")
        teller.sendevent = only_worth_telling(teller.sendevent)


def only_worth_telling(send: Send) -> Send:
    """The same, without what says nothing."""

    def told(name: str, **content: Any) -> None:
        if worth_telling(name, content):
            send(name, **content)

    return told


def worth_telling(name: str, content: dict[str, Any]) -> bool:
    """Whether the first process makes anything of a message."""
    if name != "testreport":
        return name not in ("logstart", "logfinish")
    report = content["data"]
    quiet = report["when"] != "call" and report["outcome"] == "passed" and not report["sections"]
    return not quiet or report["duration"] >= SLOW

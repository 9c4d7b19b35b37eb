"""The garbage collector rests while tests are collected, then looks seldom, and never at what they
were collected from.

Django, benchlab and the tests themselves are a million objects that live until the end. Looking
at them again and again took a fifth of the collection's time and an eighth of a unit test's.
"""

from __future__ import annotations

import gc

import pytest

THRESHOLDS = (50_000, 20, 50)

gc.disable()


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> None:
    """Keep what is there out of every later look. xdist's first process has collected nothing."""
    if session.config.getoption("dist", "no") == "no":
        gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
    gc.enable()

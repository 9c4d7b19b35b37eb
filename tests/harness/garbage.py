"""The garbage collector looks seldom, and never at what the tests were collected from.

Django, benchlab and the tests themselves are a million objects that live until the end. Looking
at them again and again took an eighth of a unit test's time.
"""

from __future__ import annotations

import gc

import pytest

THRESHOLDS = (50_000, 20, 50)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Keep what is there out of every later look."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)

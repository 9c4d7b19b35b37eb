"""A result is compared only if the whole disturbance was carried out during the load."""

from __future__ import annotations

import json

import pytest

from apps.execution.domain.disturbance_validity import disturbance_fault, disturbance_warnings
from apps.results.domain.disturbance_log import read_log
from apps.results.tests.test_disturbance_figures import log_text


def test_whole_disturbance_is_valid() -> None:
    assert disturbance_fault(read_log(log_text()), "osd_out") == ""


@pytest.mark.parametrize(("seconds", "word"), [(3, "before the disturbance"), (30, "long enough")])
def test_load_that_ends_early_is_invalid(seconds: int, word: str) -> None:
    log = read_log(log_text(seconds))
    assert word in str(disturbance_fault(log, "osd_out"))


def test_aborted_disturbance_is_invalid_with_its_reason() -> None:
    mark = {"mark": "aborted", "t": 9.0, "reason": "placement groups are inactive (down)"}
    log = read_log(log_text(8) + b"\n" + json.dumps(mark).encode())
    assert "inactive (down)" in str(disturbance_fault(log, "osd_out"))


def test_unseen_recovery_is_a_warning() -> None:
    mark = {"mark": "clean", "t": 9.0, "unseen": True}
    assert disturbance_warnings(read_log(json.dumps(mark).encode()))
    assert not disturbance_warnings(read_log(log_text()))

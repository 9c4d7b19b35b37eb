"""A tool that ran far longer than its test asks for gets a warning on its result."""

from __future__ import annotations

import pytest

from apps.execution.domain.duration_warnings import duration_warnings
from apps.tools.parse_result import Measurement, Parsed


def _fio(*seconds: float) -> Parsed:
    results = tuple(Measurement("read", 1.0, 1.0, values={"runtime": each}) for each in seconds)
    return Parsed("fio", "json", None, results)


@pytest.mark.parametrize(
    ("planned", "ran", "warned"),
    [(3, 28.0, True), (3, 3.01, False), (60, 62.0, False), (60, 95.0, True), (0, 500.0, False)],
)
def test_run_time_beyond_the_plan_is_a_warning(planned: int, ran: float, warned: bool) -> None:
    assert bool(duration_warnings(_fio(0.1, ran), {"runtime": planned})) is warned


def test_result_without_a_run_time_has_no_warning() -> None:
    parsed = Parsed("fio", "json", None, (Measurement("read", 1.0, 1.0),))
    assert duration_warnings(parsed, {"runtime": 3}) == []

"""Whether a background load covers a test, from the ends of both on two clocks."""

from __future__ import annotations

from typing import Any

import pytest

from apps.execution.domain.background_coverage import background_coverage
from apps.inventory.models import Host
from apps.runs.models import AttemptJob, FailureCause, JobState
from apps.runs.models.jobs import BACKGROUND

SETTLE = 5.0
HERE, THERE = Host(pk=1, name="here"), Host(pk=2, name="there")


def command(role: str = "main", **more: Any) -> dict[str, Any]:
    return {"role": role, "argv": ["fio"], **more}


def job(begin: float, end: float, *, host: Host = HERE, offset: float = 0.0, **more: Any) -> Any:
    """An ended job whose only command ran from `begin` to `end` of the worker's clock."""
    times = [(begin + offset, end + offset)]
    exit_: Any = {
        "ran": [0],
        "codes": [0],
        "signals": [None],
        "times": times,
        "started": {"monotonic": begin + offset, "realtime": 1e9},
        "ended": {"monotonic": end + offset, "realtime": 1e9},
    }
    values = {"clock_offset": offset, "clock_uncertainty": 0.001, "state": JobState.DONE}
    spec: Any = {"commands": [command()]}
    return AttemptJob(host=host, name=host.name, spec=spec, exit=exit_, **values | more)


def load(begin: float, end: float, *, cancelled: bool = True, **more: Any) -> Any:
    made = job(begin, end, role=BACKGROUND, **more)
    made.exit |= {"cancelled": cancelled}
    return made


def fault(*rows: Any) -> str:
    return background_coverage(rows, {}, SETTLE).fault


def test_a_settled_load_that_ended_after_the_test_covers_it() -> None:
    coverage = background_coverage([job(10.0, 20.0), load(4.0, 21.0)], {}, SETTLE)
    assert (coverage.fault, coverage.ahead_seconds) == ("", 6.0)


def test_the_clocks_of_two_hosts_are_aligned() -> None:
    rows = [job(10.0, 20.0), load(4.0, 21.0, host=THERE, offset=5_000.0)]
    coverage = background_coverage(rows, {}, SETTLE)
    assert coverage.fault == ""
    assert coverage.ahead_seconds == pytest.approx(6.0)
    assert "only 1.0 s" in fault(job(10.0, 20.0), load(9.0, 21.0, host=THERE, offset=-5_000.0))


@pytest.mark.parametrize(
    ("one", "words"),
    [
        (load(8.0, 21.0), "only 2.0 s before the test"),
        (load(4.0, 18.5), "ended 1.5 s before"),
        (load(4.0, 20.05, cancelled=False), "no more to do"),
        (load(4.0, 21.0, host=THERE, clock_offset=None), "clock"),
        (load(4.0, 21.0, state=JobState.LOST), "processes are gone"),
        (load(4.0, 21.0, state=JobState.REFUSED, refusal={"reasons": ["In use."]}), "In use."),
    ],
)
def test_a_load_that_does_not_cover_the_test_says_why(one: Any, words: str) -> None:
    assert words in fault(job(10.0, 20.0), one)


@pytest.mark.parametrize("codes", [[0], [1]])
def test_a_load_that_ends_by_itself_after_the_test_covers_it(codes: list[int]) -> None:
    """The client of a pair, when its server was ended first."""
    client = load(4.0, 20.5, cancelled=False)
    client.exit |= {"codes": codes}
    assert fault(job(10.0, 20.0), client) == ""


def test_a_killed_load_is_named_with_its_signal() -> None:
    killed = load(4.0, 12.0, cancelled=False)
    killed.exit |= {"codes": [None], "signals": ["SIGKILL"]}
    coverage = background_coverage([job(10.0, 20.0), killed], {}, SETTLE)
    assert "SIGKILL" in coverage.fault
    assert coverage.failure_cause == FailureCause.TOOL


def test_what_prepares_a_load_is_no_part_of_it() -> None:
    """A file that is laid out first, or a pool: the load begins with the last command."""
    late = load(4.0, 21.0)
    after = command("health-after", may_fail=True), command("cleanup", always=True)
    late.spec = {"commands": [command("layout"), command(), *after]}
    late.exit |= {"ran": [0, 1, 3], "times": [(2.0, 8.0), (8.0, 21.0), (21.0, 22.0)]}
    assert "only 2.0 s" in fault(job(10.0, 20.0), late)
    late.exit |= {"ran": [0, 3], "times": [(2.0, 8.0), (21.0, 22.0)]}
    assert "never began" in fault(job(10.0, 20.0), late)


def test_every_stage_is_covered_and_cleaning_up_is_not_measured() -> None:
    cleaning = job(30.0, 40.0, stage=2)
    cleaning.spec = {"commands": [command("cleanup", always=True)]}
    rows = [job(10.0, 20.0), job(21.0, 29.0, stage=1), cleaning]
    assert fault(*rows, load(4.0, 29.5)) == ""
    assert "before the test" in fault(*rows, load(4.0, 22.0))


def test_the_server_of_a_load_ends_with_its_client() -> None:
    server = load(3.9, 21.0, cancelled=False, host=THERE)
    server.spec = {"commands": [command("server", listens="tcp:5201")]}
    assert fault(job(10.0, 20.0), server, load(4.0, 21.0)) == ""

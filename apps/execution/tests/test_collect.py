"""Several jobs' files as one attempt's, and when their hosts started."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import pytest

from apps.blobs.services.spool import SpoolFile, compress_into
from apps.execution.attempt.collect import CollectedJob, gathered_files
from apps.inventory.models import Host
from apps.remote.job_spec import JobSpec
from apps.remote.responses import Exit
from apps.runs.models import AttemptJob
from apps.runs.selectors.start_skew import StartSkew, starts_of

SPOOL = SpoolFile()


@pytest.fixture(autouse=True, scope="module")
def _spool() -> Iterator[None]:
    with SPOOL:
        yield


def brought(name: str, stage: int = 0, files: dict[str, bytes] | None = None) -> CollectedJob:
    row = AttemptJob(pk=uuid.uuid4(), name=name, stage=stage, spec=JobSpec(commands=[]))
    return CollectedJob(row, {n: compress_into(SPOOL, data) for n, data in (files or {}).items()})


def gathered(jobs: list[CollectedJob]) -> dict[str, bytes]:
    with SpoolFile() as spool:
        files = gathered_files(jobs, spool)
        return {name: b"".join(file.decompress()) for name, file in files.items()}


def started(
    name: str, offset: float, uncertainty: float, listens: str = "", **exit_: Any
) -> AttemptJob:
    """A job by the clock of its host, which was compared with the worker's."""
    host = Host(pk={"east": 1, "west": 2}[name], name=name)
    spec: JobSpec = {"commands": [{"role": "main", "argv": [], "listens": listens}]}
    said: Exit = {"codes": [0], **exit_}  # type: ignore[typeddict-item]  # as a test names them
    row = AttemptJob(name=name, host=host, spec=spec, state="done", exit=said)
    row.clock_offset, row.clock_uncertainty = offset, uncertainty
    return row


def test_each_hosts_files_are_under_its_name() -> None:
    jobs = [brought("east", files={"result.json": b"1"}), brought("west", files={"stdout": b"2"})]
    assert gathered(jobs) == {"east/result.json": b"1", "west/stdout": b"2"}


def test_the_files_of_an_only_host_have_their_own_names() -> None:
    job = brought("", files={"result.json": b"1", "stdout": b"22"})
    assert gathered([job]) == {"result.json": b"1", "stdout": b"22"}
    assert job.row.output_ranges == {"stdout": (0, 2), "stderr": (0, 0)}


def test_acts_of_a_host_follow_one_another_in_its_words() -> None:
    jobs = [
        brought("east", 0, {"stdout": b"made\n", "stderr": b"", "device.log": b"a"}),
        brought("east", 1, {"stdout": b"wrote", "stderr": b"!", "device.log": b"b"}),
    ]
    assert gathered(jobs) == {
        "east/stdout": b"made\nwrote",
        "east/stderr": b"!",
        "east/device.log": b"a",
        "east/stage1.device.log": b"b",
    }
    assert [job.row.output_ranges["stdout"] for job in jobs] == [(0, 5), (5, 10)]
    assert [job.row.output_ranges["stderr"] for job in jobs] == [(0, 0), (0, 1)]


def test_starts_are_measured_with_compared_clocks() -> None:
    """East began at 100.0 of its clock, 90 ahead; west at 5010.2 of a clock 5000 ahead: 200 ms."""
    starts = starts_of(
        [
            started("east", 90.0, 0.001, started={"monotonic": 100.0}),
            started("west", 5000.0, 0.002, started={"monotonic": 5010.2}),
        ]
    )
    assert starts.after["east"] == 0.0
    assert abs(starts.after["west"] - 0.2) < 1e-9
    assert starts.uncertainty == {"east": 0.001, "west": 0.002}


def test_of_several_commands_the_longest_is_what_started() -> None:
    """Dropping the page cache first may take one host longer than another."""
    first = {"monotonic": 10.0}
    jobs = [
        started("east", 0.0, 0.001, times=[[10.0, 10.1], [10.1, 20.0]], started=first),
        started("west", 0.0, 0.001, times=[[10.0, 10.5], [10.5, 20.4]], started=first),
    ]
    assert abs(starts_of(jobs).after["west"] - 0.4) < 1e-9


def test_a_server_is_not_among_those_that_start_together() -> None:
    jobs = [
        started("east", 0.0, 0.001, started={"monotonic": 10.0}),
        started("west", 0.0, 0.001, listens="tcp:5201", started={"monotonic": 3.0}),
    ]
    assert starts_of(jobs) == StartSkew()

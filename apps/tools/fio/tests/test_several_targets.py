"""Several disks or directories at once: a section each, the whole and its parts, one CPU a job."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from apps.tools.errors import ParamsError
from apps.tools.fio import TOOL
from apps.tools.fio.command import RESULT, build_procedure
from apps.tools.fio.params import FioParams
from apps.tools.histogram import merge, percentiles
from apps.tools.parse_result import Output, Parsed
from apps.tools.targets import ToolTarget
from apps.tools.text import count
from tests.harness.documents import Document
from tests.harness.loops import loop_disk

SAMPLE = Path(__file__).parent / "samples" / "3.33--json+-two-targets" / "result.json"
SIZE = 64
needs_loops = pytest.mark.skipif(
    os.geteuid() != 0 or not shutil.which("fio"), reason="loop devices need root, and fio"
)


def argv(target: ToolTarget, **raw: Any) -> tuple[str, ...]:
    return build_procedure(FioParams.from_raw(raw), target).commands[-1].argv


def parse(data: bytes) -> Parsed:
    return TOOL.parse(Output({"stdout": data, "stderr": b""}))


def last_jobs(data: bytes) -> list[Document]:
    """The jobs of fio's last document, by Python's own reader."""
    jobs: list[Document] = json.loads(data[data.rindex(b"\n{") + 1 :])["jobs"]
    return jobs


@pytest.fixture
def disks() -> Iterator[list[str]]:
    with ExitStack() as stack:
        yield [stack.enter_context(loop_disk(SIZE)) for _ in range(3)]


def test_each_disk_has_a_section_and_a_group_of_its_own() -> None:
    words = argv(ToolTarget("disk", "a", 2**40, count=2), rw="randread")
    assert words[:3] == ("fio", "--name=global", "--size=1073741824")
    assert words[-6:] == (
        *("--name=target0", "--new_group=1", "--filename={target0}"),
        *("--name=target1", "--new_group=1", "--filename={target1}"),
    )
    assert "--readonly" in words
    assert "--group_reporting=1" in words
    assert not [word for word in words if "{target}" in word]


def test_each_directory_has_its_own_files() -> None:
    target = ToolTarget("directory", "/scratch", count=2)
    steps = build_procedure(FioParams.from_raw({"rw": "read", "size": "1M", "numjobs": 2}), target)
    words = steps.commands[-1].argv
    assert "--directory={target1}" in words
    assert words.count("--filename_format=benchlab-fio.$jobnum") == 2
    assert steps.space_needed == 2 * 1024**2
    assert steps.bytes_written == 4 * 1024**2


def test_a_pinned_target_gets_the_cpus_of_its_queues() -> None:
    words = argv(ToolTarget("disk", "a", 2**40, pinned=True), numjobs=4)
    assert "--cpus_allowed={cpus}" in words
    assert "--cpus_allowed_policy=split" in words
    several = argv(ToolTarget("disk", "a", 2**40, count=3, pinned=True), numjobs=4)
    assert [word for word in several if word.startswith("--cpus_allowed=")] == [
        f"--cpus_allowed={{cpus{number}}}" for number in range(3)
    ]
    steps = build_procedure(
        FioParams.from_raw({"numjobs": 4}), ToolTarget("disk", "a", pinned=True)
    )
    assert steps.threads == 4


def test_a_list_of_cpus_and_pinning_exclude_each_other() -> None:
    with pytest.raises(ParamsError) as caught:
        argv(ToolTarget("disk", "a", pinned=True), cpus_allowed="0-3")
    assert "leave the list of CPUs empty" in caught.value.errors["cpus_allowed"]


def test_the_smallest_disk_must_be_large_enough() -> None:
    with pytest.raises(ParamsError) as caught:
        argv(ToolTarget("disk", "a", 2**20, count=2), size="1G")
    assert caught.value.errors["size"].startswith("The smallest disk has 1 MiB")


def test_the_whole_is_the_sum_and_its_percentiles_come_from_added_bins() -> None:
    measurements = parse(SAMPLE.read_bytes()).measurements
    for operation in ("read", "write"):
        whole, *parts = (m for m in measurements if m.operation == operation)
        assert [whole.component, *(m.component for m in parts)] == ["", "target0", "target1"]
        assert whole.histogram == merge([m.histogram for m in parts])
        assert whole.histogram is not None
        expected = percentiles(whole.histogram, whole.latency.percentiles)
        assert dict(whole.latency.percentiles) == expected
        assert whole.values["io_bytes"] == sum(count(m.values["io_bytes"]) for m in parts)


def test_the_series_of_the_whole_adds_up() -> None:
    whole, first, second = (
        next(s.values for s in m.series if s.metric == "iops")
        for m in parse(SAMPLE.read_bytes()).measurements
        if m.operation == "read"
    )
    sums = [(a or 0) + (b or 0) for a, b in zip(first, second, strict=True)]
    assert whole == pytest.approx(sums, rel=0.01)


def test_live_figures_are_those_of_all_targets() -> None:
    progress, data = TOOL.progress(), SAMPLE.read_bytes()
    samples = [s for at in range(0, len(data), 9_000) for s in progress.feed(data[at : at + 9_000])]
    rates = [s.operations["read"]["iops"] for s in samples]
    assert rates[1:3] == pytest.approx([160, 160], rel=0.02)


def test_jobs_that_somebody_named_so_are_groups_as_before() -> None:
    data = SAMPLE.read_bytes().replace(b'"new_group" : "1",', b'"thinktime" : "0",')
    assert {m.component for m in parse(data).measurements} == {""}
    assert len(parse(data).measurements) == 4


@pytest.mark.parametrize("share", [0.3, 0.5, 0.7, 0.9, 0.98])
def test_a_cut_result_still_names_its_parts(share: float) -> None:
    data = SAMPLE.read_bytes()
    data = data[data.rindex(b"\n{") + 1 :]
    parsed = parse(data[: int(len(data) * share)])
    assert parsed.completeness == "partial"
    assert {m.component for m in parsed.measurements} >= {"", "target0"}


@needs_loops
@pytest.mark.timeout(60)
@pytest.mark.parametrize("together", [True, False])
def test_three_disks_give_what_fio_says_of_each(
    disks: list[str], tmp_path: Path, together: bool
) -> None:
    raw = {"rw": "randrw", "size": "8M", "runtime": 2, "numjobs": 2, "iodepth": 2}
    cpu = str(min(os.sched_getaffinity(0)))
    target = ToolTarget("disk", "a", SIZE << 20, count=3, pinned=True)
    words = [
        fill(word, disks, cpu)
        for word in argv(target, **raw, rate_iops=500, group_reporting=together)
    ]
    subprocess.run(words, cwd=tmp_path, check=True, capture_output=True, timeout=50)
    data = (tmp_path / RESULT).read_bytes()
    parsed, jobs = parse(data), last_jobs(data)
    assert parsed.completeness == "whole"
    for operation in ("read", "write"):
        found = {m.component: m for m in parsed.measurements if m.operation == operation}
        assert list(found) == ["", "target0", "target1", "target2"]
        for name, measurement in found.items():
            members = [j[operation] for j in jobs if name in ("", j["jobname"])]
            assert_fios(measurement.values, members)
            assert measurement.histogram is not None
            bins = [sum(member["lat_ns"]["bins"].values()) for member in members]
            assert sum(measurement.histogram.counts) == sum(bins)


def fill(word: str, disks: list[str], cpu: str) -> str:
    """A word as the agent fills it in: today's nodes and the chosen CPUs."""
    for number, disk in enumerate(disks):
        word = word.replace(f"{{target{number}}}", disk).replace(f"{{cpus{number}}}", cpu)
    return word


def assert_fios(values: Document, members: list[Document]) -> None:
    """Bytes, operations and time are those fio printed for these jobs."""
    assert values["io_bytes"] == sum(member["io_bytes"] for member in members)
    assert values["total_ios"] == sum(member["total_ios"] for member in members)
    assert values["runtime"] == max(member["runtime"] for member in members) / 1000

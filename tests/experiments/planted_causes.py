"""Plant known causes of slow tests and count how often the ranking has them first.

    python -m tests.experiments.planted_causes --experiments 40 --seed 1 [--output results.json]

Needs root and control groups of version 1 or 2 with I/O limits. Each experiment compares two levels
of six tests of fio each, in random order, on a loop device of its own, through the agent. The tests
of one level have the planted cause; nothing names it to the ranking.
A light load on another disk, in a random half as well, is a decoy. It reads exit.json and the logs
as benchlab does, and ranks with the same code. It is no part of the test suite, as it takes half an
hour and other work on the machine changes the result. See docs/concepts/causes.md.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchlab.settings")
django.setup()

from apps.analysis.causes.affected import MeasuredRepeat, affected_repeats  # noqa: E402
from apps.analysis.causes.host_figures import HostFigures, reported_conditions  # noqa: E402
from apps.analysis.causes.kinds import Kind  # noqa: E402
from apps.analysis.causes.observations import Observation, conditions_of_repeats  # noqa: E402
from apps.analysis.causes.ranking import Condition, rank_conditions  # noqa: E402
from apps.remote.agent_tests.client import Client  # noqa: E402
from apps.remote.agent_tests.loops import Loop, attach, until  # noqa: E402
from apps.tools.devices import blockstat, hoststat  # noqa: E402
from apps.tools.parse_result import Series  # noqa: E402

REPEATS = 12
SECONDS = 2
SIZE_MIB = 64
READ_IOPS_LIMIT = 1500
HOG = "while :; do :; done"
V1, V2 = Path("/sys/fs/cgroup/blkio"), Path("/sys/fs/cgroup")


@dataclass(frozen=True)
class Bench:
    """Devices and control group of one experiment."""

    client: Client
    loop: Loop
    other: Loop
    group: Path


def main() -> int:
    """Run the experiments and print the counts."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--experiments", type=int, default=40)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--output", type=Path)
    chosen = options.parse_args()
    if os.geteuid() != 0:
        sys.exit("It makes loop devices and control groups, which only root may.")
    dice, rows = random.Random(chosen.seed), []
    for number in range(chosen.experiments):
        planted = list(PLANTS)[number % len(PLANTS)]
        row = experiment(planted, random.Random(dice.random()))
        rows.append(row)
        print(f"{number + 1:3} {planted:10} {row['rank']!s:5} {row['order']}", flush=True)
        if chosen.output:
            chosen.output.write_text(json.dumps(rows, indent=1))
    first = Counter(row["planted"] for row in rows if row["rank"] == 1)
    for name, count in Counter(row["planted"] for row in rows).items():
        print(f"{name}: first in {first[name]} of {count}")
    print(f"all: first in {first.total()} of {len(rows)}")
    return 0


def experiment(planted: str, dice: random.Random) -> dict[str, Any]:
    """Return the rank of the planted cause (`rank`; None if it is not listed) and the list."""
    slow = set(dice.sample(range(REPEATS), REPEATS // 2))
    decoys = set(dice.sample(range(REPEATS), REPEATS // 2))
    observations, measured = [], []
    with bench() as devices:
        for number in range(REPEATS):
            with ExitStack() as planting:
                if number in decoys:
                    planting.enter_context(decoy(devices))
                if number in slow:
                    planting.enter_context(PLANTS[planted](devices))
                iops, observation = repeat(devices, number)
            measured.append(MeasuredRepeat(number, iops, "b" if number in slow else "a"))
            observations.append(observation)
    affected = affected_repeats(measured, higher_is_better=True)
    row: dict[str, Any] = {
        "planted": planted,
        "iops": [round(one.value) for one in measured],
        "slow": sorted(slow),
        "rank": None,
        "order": "no difference",
    }
    if affected is None:
        return row
    ranked = rank_conditions(affected.repeats, conditions_of_repeats(observations))
    names = [named(one.condition) for one in ranked]
    row["scores"] = [(name, round(one.score, 3)) for name, one in zip(names, ranked, strict=True)]
    row["order"] = " > ".join(f"{name} {score}" for name, score in row["scores"])
    row["affected"] = sorted(one.key for one in affected.repeats if one.affected)
    expected = EXPECTED[planted]
    row["rank"] = names.index(expected) + 1 if expected in names else None
    row["in_groups"] = affected.in_groups
    return row


def named(condition: Condition) -> str:
    """Return the kind of a condition, of settings with the name."""
    if condition.kind == Kind.SETTING:
        return f"{condition.kind} {condition.name}"
    return str(condition.kind)


def repeat(devices: Bench, number: int) -> tuple[float, Observation]:
    """Run one test; return its IOPS and what is known of it."""
    client = devices.client
    done = client.run(fio("{target}"), target=devices.loop.target(write=False))
    ended, attempt = done["exit"], done["attempt"]
    result = json.loads(client.read(attempt, "stdout"))["jobs"][0]["read"]
    series: dict[tuple[str, str], list[float]] = {}
    for _subject, one in hoststat.host_series(hoststat.read_log(client.read(attempt, "host.log"))):
        add(series, "host", one)
    for samples in blockstat.read_log(client.read(attempt, "device.log")).values():
        for one in blockstat.device_series(samples):
            add(series, "device", one)
    figures = HostFigures(series)
    return float(result["iops"]), Observation(
        key=number,
        settings={one["name"]: one["value"] for one in ended["tuning"]["effective"]},
        own_rate=float(result["bw_bytes"]),
        device_rate=figures.sum("device", ("read_bandwidth", "write_bandwidth")),
        other_cpu=figures.other_cpu(os.cpu_count()),
        temperature=figures.highest("temperature"),
        memory_used=figures.highest("memory_used"),
        memory=os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        network_rate=figures.sum("host", ("network_received", "network_sent")),
        is_first=number == 0,
        **reported_conditions([ended]),
    )


def add(series: dict[tuple[str, str], list[float]], source: str, one: Series) -> None:
    """Add the mean of a series, of a temperature the maximum, as the queries do."""
    values = [value for value in one.values if value is not None]
    if values:
        value = max(values) if one.metric == "temperature" else sum(values) / len(values)
        series.setdefault((source, one.metric), []).append(value)


def fio(node: str, **changes: object) -> list[str]:
    """Return a random read of 4 KiB past the page cache of the device."""
    values: dict[str, object] = {
        "name": "test", "filename": node, "rw": "randread", "bs": "4k", "iodepth": 8,
        "ioengine": "libaio", "direct": 1, "runtime": SECONDS, "time_based": 1,
        "output-format": "json",
    } | changes  # fmt: skip
    return ["fio", *(f"--{name}={value}" for name, value in values.items())]


@contextmanager
def bench() -> Iterator[Bench]:
    """Make two loop devices and an agent in a control group of its own; all of it ends here."""
    with ExitStack() as ending:
        folder = Path(ending.enter_context(tempfile.TemporaryDirectory(prefix="planted-")))
        loops = [attach(folder / name, SIZE_MIB) for name in ("tested", "other")]
        for loop in loops:
            ending.callback(loop.detach)
            loop.file.write_bytes(os.urandom(1 << 20) * SIZE_MIB)
        group = (V1 if V1.exists() else V2) / f"benchlab-planted-{os.getpid()}"
        group.mkdir()
        ending.callback(remove_group, group)
        client = ending.enter_context(Client(folder / "agent"))
        (group / "cgroup.procs").write_text(str(client.process.pid))
        yield Bench(client, loops[0], loops[1], group)


def remove_group(group: Path) -> None:
    """Remove the group; processes that are still in it go to its parent first."""
    for pid in (group / "cgroup.procs").read_text().split():
        (group.parent / "cgroup.procs").write_text(pid)
    group.rmdir()


@contextmanager
def process(*argv: str) -> Iterator[None]:
    """Run a process during a test."""
    running = subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        running.terminate()
        running.wait()


def wait_for_reads(loop: Loop) -> None:
    """Wait until a load on the device has begun: on a busy machine fio needs seconds to start."""
    stat = Path(f"/sys/block/{loop.name}/stat")
    before = int(stat.read_text().split()[0])
    until(lambda: int(stat.read_text().split()[0]) > before + 20)


@contextmanager
def limited(devices: Bench) -> Iterator[None]:
    """Limit the reads of the control group on the device."""
    number = Path(f"/sys/block/{devices.loop.name}/dev").read_text().strip()
    if devices.group.is_relative_to(V1):
        file, value, off = "blkio.throttle.read_iops_device", str(READ_IOPS_LIMIT), "0"
    else:
        file, value, off = "io.max", f"riops={READ_IOPS_LIMIT}", "riops=max"
    (devices.group / file).write_text(f"{number} {value}")
    try:
        yield
    finally:
        (devices.group / file).write_text(f"{number} {off}")


@contextmanager
def competing(devices: Bench) -> Iterator[None]:
    """Read from the same device with another fio."""
    with process(*fio(devices.loop.node, runtime=600, iodepth=64, bs="64k", numjobs=2)):
        wait_for_reads(devices.loop)
        yield


@contextmanager
def scheduled(devices: Bench) -> Iterator[None]:
    """Change the scheduler."""
    devices.loop.set("scheduler", "bfq")
    try:
        yield
    finally:
        devices.loop.set("scheduler", "none")


@contextmanager
def hogged(_devices: Bench) -> Iterator[None]:
    """Load all CPUs, each with four processes."""
    with ExitStack() as hogs:
        for _number in range(4 * (os.cpu_count() or 1)):
            hogs.enter_context(process("sh", "-c", HOG))
        yield


@contextmanager
def decoy(devices: Bench) -> Iterator[None]:
    """Read slowly from the other device."""
    with process(*fio(devices.other.node, runtime=600, rate_iops=200, iodepth=1)):
        wait_for_reads(devices.other)
        yield


PLANTS = {"limit": limited, "competing": competing, "scheduler": scheduled, "cpu": hogged}
EXPECTED = {
    "limit": "io_limit",
    "competing": "disk_load",
    "scheduler": "setting scheduler",
    "cpu": "cpu_load",
}


if __name__ == "__main__":
    sys.exit(main())

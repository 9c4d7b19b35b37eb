"""Hosts whose test prints without end, all at once: what the worker holds of it is bounded,
whatever their number.

`MUCH=20x300` (hosts x MiB) asks for more than the small case of every day; the figures are printed
(-s) and stand in docs/development/benchmarks.md.
"""

from __future__ import annotations

import os
import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.e2e.lab import add_box, cases, ended, enrol, launch
from tests.e2e.stack import JSON, Process, Stack
from tests.harness.fixtures import no_box
from tests.harness.loops import loop_disk
from tests.harness.netns_host import NetnsHost

pytestmark = [pytest.mark.e2e, pytest.mark.needs_root, pytest.mark.timeout(3600)]

HOSTS, SIZE = (int(word) for word in os.environ.get("MUCH", "3x40").split("x"))
SECONDS = 240 + HOSTS * SIZE / 2
# An output is read whole, one after another: the bound holds whatever the number of hosts.
MOST = (140 << 20) + HOSTS * (4 << 20)
# A job that writes more is ended, a moment later.
LIMIT = 256 << 20
READ = {"rw": "randread", "bs": "4k", "iodepth": 1, "size": "1M", "runtime": 1}
# What prints instead of fio, on each host something else: it goes where `{where}` says.
PRINTER = """#!/bin/sh
[ $# -gt 1 ] || exec echo fio-3.33
{{ echo "$0"; cat {text}; }} {where}
sleep 2
"""
WHERE = {"stdout": "", "stderr": ">&2", "result.json": ">> result.json"}
_number = count(1)


class Crowd(NamedTuple):
    """A running benchlab with one worker, and hosts with a disk each."""

    stack: Stack
    worker: Process
    boxes: list[NetnsHost]
    disks: list[JSON]

    def tell(self, text: Path, file: str) -> None:
        """What "fio" does on every host from now on."""
        for box in self.boxes:
            fio = box.base / "tools" / "bin" / "fio"
            fio.parent.mkdir(parents=True, exist_ok=True)
            fio.write_text(PRINTER.format(text=text, where=WHERE[file]))
            fio.chmod(0o755)


@pytest.fixture(scope="module")
def crowd(stack: Stack, folder: Path) -> Iterator[Crowd]:
    if reason := no_box():
        pytest.skip(reason)
    with ExitStack() as ending:
        worker = ending.enter_context(stack.worker())
        boxes, disks = [], []
        for number in range(HOSTS):
            box = NetnsHost(folder / f"much{number}")
            ending.callback(box.stop)
            box.start()
            node = ending.enter_context(loop_disk(16, folder))
            host = add_box(stack, box, f"much{number}")
            boxes.append(box)
            disks.append(enrol(stack, host["id"], node))
        yield Crowd(stack, worker, boxes, disks)


@pytest.fixture(scope="module")
def text(folder: Path) -> Path:
    """Random bytes as one line of base64, which packs badly."""
    path = folder / "text"
    with path.open("wb") as out:
        made = f"head -c {SIZE * 3 // 4}M /dev/urandom | base64 -w0"
        subprocess.run(["sh", "-c", made], stdout=out, check=True)
    return path


def memory(pid: int, name: str) -> int:
    """A worker's VmHWM (the most it ever held) or VmRSS, in bytes."""
    found = re.search(rf"^{name}:\s+(\d+) kB$", Path(f"/proc/{pid}/status").read_text(), re.M)
    assert found
    return int(found[1]) << 10


@pytest.mark.parametrize("file", list(WHERE))
def test_what_hosts_print_at_once_is_bounded_here(crowd: Crowd, text: Path, file: str) -> None:
    crowd.tell(text, file)
    stack, pid = crowd.stack, crowd.worker.pid
    Path(f"/proc/{pid}/clear_refs").write_text("5")  # the peak begins anew (proc(5))
    before, began = memory(pid, "VmRSS"), time.monotonic()
    body = {
        "name": f"much {next(_number)}",
        "repeats": 1,
        "steps": [{"tool": "fio", "params": READ}],
        "targets": [f"disk:{disk['id']}" for disk in crowd.disks],
    }
    run = ended(stack, launch(stack, stack.post("plans/", body)), SECONDS)
    took, more = time.monotonic() - began, memory(pid, "VmHWM") - before
    found = cases(stack, run)
    print(f"\n{HOSTS} hosts x {SIZE} MiB to {file}, {took:.0f} s: {before >> 20} MiB before,")
    print(f"{more >> 20} MiB more at most; {sorted({case['reason'][:80] for case in found})}")
    assert {case["state"] for case in found} == {"failed"}
    kept = f"cases/{found[-1]['id']}/attempts/1/artifacts/{file}/"
    assert len(stack.download(kept)) >= min(text.stat().st_size, LIMIT)
    assert more < MOST

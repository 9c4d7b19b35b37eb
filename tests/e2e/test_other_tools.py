"""dd and iozone on real disks and file systems, and whether tool and device agree."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.conftest import Lab
from tests.e2e.lab import cases, ended, launch, plan
from tests.e2e.stack import JSON
from tests.harness.loops import loop_disk

pytestmark = [pytest.mark.e2e, pytest.mark.needs_root]
MIB = 1024**2


@pytest.fixture
def mounted(lab: Lab, tmp_path: Path) -> Iterator[Path]:
    """A small file system of its own, mounted inside the box."""
    with loop_disk(192, tmp_path) as node:
        subprocess.run(["mkfs.ext4", "-q", node], check=True)
        place = tmp_path / "scratch"
        place.mkdir()
        lab.box.inside("mount", str(node), str(place))
        lab.box.inside("chmod", "700", str(place))
        yield place
        lab.box.inside("umount", str(place))


def directory(lab: Lab, path: Path) -> str:
    body = {"host": lab.host["id"], "path": str(path)}
    return f"directory:{lab.stack.post('directories/', body)['id']}"


def measured(lab: Lab, made: JSON) -> list[tuple[JSON, list[JSON]]]:
    """The plan's cases, each with its measurements."""
    stack = lab.stack
    with stack.worker():
        run = ended(stack, launch(stack, made), 180)
    assert run["state"] == "succeeded", [case["reason"] for case in cases(stack, run)]
    return [(c, stack.rows(f"measurements/?case={c['id']}")) for c in cases(stack, run)]


def test_dd_writes_and_reads_a_disk(lab: Lab) -> None:
    steps = [
        {"tool": "dd", "params": {"rw": "write", "bs": "1M", "size": "32M", "direct": True}},
        {"tool": "dd", "params": {"rw": "read", "bs": "1M", "size": "32M", "direct": True}},
    ]
    found = measured(lab, plan(lab.stack, lab.disk, steps=steps))
    assert [row["operation"] for _case, rows in found for row in rows] == ["write", "read"]
    for case, (row,) in found:
        values = row["values"]
        assert values["bytes"] == 32 * MIB
        assert row["bandwidth"] == pytest.approx(values["bytes"] / values["seconds"])
        assert case["attempts"][0]["warnings"] == []


@pytest.mark.skipif(shutil.which("iozone") is None, reason="iozone is of Debian's non-free part")
def test_iozone_in_a_directory(lab: Lab, mounted: Path) -> None:
    params = {"operation": "read", "file_size": "32M", "record_size": "64k"}
    step = {"tool": "iozone", "params": params}
    target = directory(lab, mounted)
    made = plan(lab.stack, lab.disk, steps=[step], targets=[target])
    ((case, rows),) = measured(lab, made)
    rows = sorted(rows, key=lambda row: str(row["operation"]))
    assert [row["operation"] for row in rows] == ["read", "reread"]
    raw = lab.stack.get(f"cases/{case['id']}/attempts/1/artifacts/stdout/").decode()
    printed = [line for line in raw.splitlines() if line.split()[:2] == ["32768", "64"]][-1]
    assert [row["bandwidth"] / 1024 for row in rows] == [int(n) for n in printed.split()[2:4]]
    dropped = next(json.loads(line) for line in raw.splitlines() if line.startswith('{"drop'))
    assert dropped["drop_caches"]["resident"] == 0
    # The repetition comes from the page cache, and the case says so.
    assert "page cache" in " ".join(case["attempts"][0]["warnings"])


def test_fio_out_of_the_page_cache_is_flagged(lab: Lab, mounted: Path) -> None:
    params = {"rw": "read", "bs": "64k", "size": "32M", "runtime": 2, "ioengine": "psync"}
    params |= {"iodepth": 1, "direct": False, "invalidate": False}
    made = plan(lab.stack, lab.disk, params, targets=[directory(lab, mounted)])
    ((case, _rows),) = measured(lab, made)
    (said,) = case["attempts"][0]["warnings"]
    assert "the page cache answered the rest" in said

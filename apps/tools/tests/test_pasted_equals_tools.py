"""Tests that benchlab executes for a pasted command are those that the tool itself understood."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import socket
import subprocess
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from apps.tools.registry import TOOLS
from apps.tools.step_import.commands import read_commands
from apps.tools.sweep import sweep
from apps.tools.targets import TargetKind, ToolTarget
from apps.tools.values import RawValue

FIO = (
    "fio -filename={target} -direct=0 -iodepth 4 -rw=randwrite -ioengine=libaio -bs=4k -name=x",
    "fio --name x --rw randrw --rwmixread 70 --bs 8k --numjobs 2 --thread --group_reporting",
    "fio --name=x --rw=randread --bssplit=4k/50:16k/50 --norandommap --randrepeat=0",
    "fio --name=x --readwrite=write --blocksize=64k --fsync=16 --offset=1m --refill_buffers",
    "fio --name=x --rw=read --bs=4K --rate=20m --thinktime=100 --time_based=1 --runtime=1m",
    "fio --rw=randwrite --bs=4k,16k --ioengine=sync --end_fsync=1 --invalidate=0 --name=x",
)
REPLACED = {"name", "filename", "filename_format", "size", "runtime", "allow_file_create"}
REPORT = {"clat_percentiles", "lat_percentiles", "slat_percentiles", "percentile_list"}
# fio's own defaults (fio(1)) of the options that benchlab always writes.
DEFAULTS = {
    **{"rw": "read", "bs": "4096", "ioengine": "psync", "iodepth": "1", "numjobs": "1"},
    **{"direct": "0", "invalidate": "1", "refill_buffers": "0", "norandommap": "0"},
    **{"randrepeat": "1", "rwmixread": "50"},
}
# fio leaves flags without a value out of its "job options".
FLAGS = {"--thread", "--group_reporting", "--norandommap", "--refill_buffers"}
OTHER_NAMES = {"readwrite": "rw", "blocksize": "bs"}


def needs(program: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"{program} is not installed")


def step_of(command: str) -> tuple[str, dict[str, RawValue]]:
    found = read_commands(command)
    assert [note.text for note in found.notes if note.kind == "refused"] == []
    (step,) = found.steps
    return step.tool, dict(step.params)


def calls_of(
    tool: str, params: Mapping[str, RawValue], kind: TargetKind, target: str
) -> list[list[str]]:
    """The commands that benchlab executes on its own for each point, the main one of each."""
    plugin = TOOLS[tool]
    assert plugin.params is not None
    found: list[list[str]] = []
    for point in sweep(params, plugin.params.fields()):
        planned = plugin.build_procedure(plugin.params.from_raw(point), ToolTarget(kind, target))
        (main,) = [command for command in planned.commands if command.role == "main"]
        found.append([word.replace("{target}", target) for word in main.argv])
    return found


def executed(argv: Sequence[str], folder: Path) -> str:
    done = subprocess.run(argv, cwd=folder, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, (argv, done.stderr)
    return done.stdout + done.stderr


@needs("fio")
@pytest.mark.parametrize("command", FIO)
def test_fio_understands_both_commands_alike(command: str, tmp_path: Path) -> None:
    file = tmp_path / "target"
    file.write_bytes(bytes(64 * 1024**2))
    command = command.replace("{target}", str(file))
    short = ["--size=32m", "--runtime=1", f"--filename={file}"]
    pasted = [f"{word}=1" if word in FLAGS else word for word in shlex.split(command)] + short
    tool, params = step_of(command)
    (ours,) = calls_of(tool, params, "disk", str(file))
    ours = [word for word in ours if not word.startswith(("--status-interval", "--output"))]

    executed([*pasted, "--parse-only"], tmp_path)
    report = "--output-format=json"
    with ThreadPoolExecutor(2) as pool:
        both = list(
            pool.map(lambda argv: executed([*argv, report], tmp_path), (pasted, [*ours, *short]))
        )

    theirs, mine = (json.loads(text[text.index("{") :]) for text in both)
    assert _options(mine) == _options(theirs)
    assert _bytes_an_operation(mine) == _bytes_an_operation(theirs)


def _options(document: Mapping[str, Any]) -> dict[str, str]:
    """The options of fio's first job with their defaults, numbers in bytes."""
    given = document.get("global options", {}) | document["jobs"][0]["job options"]
    named = {OTHER_NAMES.get(name, name): value for name, value in given.items()}
    plain = {
        name: "1" if value == "" else _number(value)
        for name, value in named.items()
        if name not in REPLACED | REPORT
    }
    if apart := re.fullmatch(r"(\w+)-\1,(\w+)-\2", plain.get("bsrange", "")):
        plain |= {"bs": f"{apart[1]},{apart[2]}"}
        del plain["bsrange"]
    return {**DEFAULTS, **plain}


def _number(text: str) -> str:
    match = re.fullmatch(r"(\d+)([km])", text.lower())
    return str(int(match[1]) * {"k": 1024, "m": 1024**2}[match[2]]) if match else text


def _bytes_an_operation(document: Mapping[str, Any]) -> dict[str, float]:
    found = {}
    for direction in ("read", "write"):
        sides = [job[direction] for job in document["jobs"]]
        operations = sum(side["total_ios"] for side in sides)
        if operations:
            found[direction] = round(sum(side["io_bytes"] for side in sides) / operations, -3)
    return found


@needs("dd")
@pytest.mark.parametrize(
    "command",
    [
        "dd if=/dev/zero of={target} bs=64k count=32 oflag=dsync",
        "dd if={target} of=/dev/null bs=1M count=4 status=none",
        "dd if=/dev/zero of={target} bs=2x512 count=1MB iflag=count_bytes conv=fsync",
    ],
)
def test_dd_copies_the_same_in_both_commands(command: str, tmp_path: Path) -> None:
    file = tmp_path / "target"
    file.write_bytes(bytes(8 * 1024**2))
    command = command.replace("{target}", str(file)).replace("1MB iflag", "1024000 iflag")
    tool, params = step_of(command)
    (ours,) = calls_of(tool, params | {"direct": False}, "disk", str(file))

    both = [executed(argv, tmp_path) for argv in (shlex.split(command), ours)]

    counts = [re.findall(r"^(\d+)\+0 records", text, re.MULTILINE) for text in both]
    assert counts[1] == (counts[0] or counts[1])
    words = [{*re.sub(r"status=\w+|iflag=count_bytes|count=\w+", "", " ".join(argv)).split()}
             for argv in (shlex.split(command), ours)]  # fmt: skip
    assert {word for word in words[0] ^ words[1] if not word.startswith("bs=")} == set()


@needs("iozone")
def test_iozone_tests_the_same_sizes_in_both_commands(tmp_path: Path) -> None:
    command = "iozone -a -n 512k -g 1m -y 64k -q 256k -i 0 -i 2 -e"
    tool, params = step_of(command)
    calls = calls_of(tool, params, "directory", str(tmp_path))

    theirs = executed(shlex.split(f"{command} -f {tmp_path}/t"), tmp_path)

    rows = {tuple(map(int, row)) for row in re.findall(r"^ +(\d+) +(\d+) +\d", theirs, re.M)}
    sizes = {(_after(call, "-s"), _after(call, "-r")) for call in calls}
    assert sizes == rows
    assert {_after(call, "-i") for call in calls} == {0, 2}
    assert all("-e" in call for call in calls)


def _after(call: Sequence[str], option: str) -> int:
    return int(call[call.index(option) + 1])


@needs("iperf3")
@pytest.mark.parametrize("options", ["-P 2 -l 64K -w 256k -R", "-u -b 20M -l 1000 -P 2"])
def test_iperf3_tests_the_same_in_both_commands(options: str, tmp_path: Path) -> None:
    tool, params = step_of(f"iperf3 -c 127.0.0.1 -t 1 {options} | tee x.log")
    (ours,) = calls_of(tool, params, "pair", "127.0.0.1")
    port = _free_port()
    ours[ours.index("-p") + 1] = str(port)
    pasted = ["iperf3", "-c", "127.0.0.1", "-t", "1", *options.split(), "-J", "-p", str(port)]

    theirs, mine = (_started(argv, port, tmp_path) for argv in (pasted, ours))

    assert mine["test_start"] == theirs["test_start"]
    assert mine["sock_bufsize"] == theirs["sock_bufsize"]


def _started(argv: Sequence[str], port: int, folder: Path) -> dict[str, Any]:
    server = ["iperf3", "-s", "-1", "-p", str(port), "--forceflush"]
    with subprocess.Popen(server, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        next(line for line in process.stdout if "listening" in line)
        document: dict[str, Any] = json.loads(executed(argv, folder))
        process.wait(10)
    return dict(document["start"])


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])

"""Job files and command lines as steps: read as fio reads them, never quietly changed."""

import re
import shlex
import subprocess
from pathlib import Path

import pytest

from apps.tools.fio import TOOL
from apps.tools.fio.jobs.units import read_bytes, read_time, whole_seconds
from apps.tools.fio.params import FioParams
from apps.tools.pasted_commands.call import Call, CommandError, ParsedCommand

TEAM = (
    "fio --bs=4k --ioengine=libaio --iodepth=128 --direct=1 --rw=randwrite --time_based "
    "--runtime=300 --refill_buffers --norandommap --randrepeat=0 --group_reporting --name=team "
    "--size=1G --filename=/dev/vdb"
)
FOUR = """
; four tests, one after another
[global]
ioengine=libaio
direct=1            # past the page cache
runtime=60
time_based
filename=/dev/vdb
size=1g

[randwrite-4k]
rw=randwrite
bs=4k
iodepth=128
write_bw_log=bw

[randread-4k]
stonewall
rw=randread
blocksize=4k
iodepth=128

[write-4m]
stonewall
rw=write
bs=4m
iodepth=64

[read-4m]
wait_for_previous
rw=read
bs=4m
iodepth=64
"""


def jobs_of(text: str) -> ParsedCommand:
    """Return the jobs of a call, or of a job file."""
    if text.startswith("fio "):
        return TOOL.parse_command(Call(tuple(shlex.split(text))))
    return TOOL.parse_file(text)


def refusals(text: str) -> list[tuple[str, str]]:
    return [(s.option, s.text) for s in jobs_of(text).notes if s.kind == "refused"]


def one(text: str) -> FioParams:
    pasted = jobs_of(text)
    assert len(pasted.steps) == 1, pasted.notes
    return FioParams.from_raw(pasted.steps[0].params)


def test_four_sections_are_four_steps() -> None:
    pasted = jobs_of(FOUR)
    params = [FioParams.from_raw(step.params) for step in pasted.steps]
    assert [step.name for step in pasted.steps] == [
        *("randwrite-4k", "randread-4k", "write-4m", "read-4m"),
    ]
    assert [(p.rw, p.bs, p.iodepth) for p in params] == [
        ("randwrite", 4096, 128),
        ("randread", 4096, 128),
        ("write", 4 * 1024**2, 64),
        ("read", 4 * 1024**2, 64),
    ]
    assert all((p.direct, p.time_based, p.runtime) == (True, True, 60) for p in params)
    assert {s.option.partition("] ")[2] for s in pasted.notes if s.kind == "left"} == {
        *("filename=/dev/vdb", "write_bw_log=bw", "stonewall", "wait_for_previous"),
    }


def test_what_fio_does_by_default_is_in_the_step() -> None:
    params = one("[job]\nsize=1m\n")
    assert (params.rw, params.bs, params.ioengine, params.iodepth) == ("read", 4096, "psync", 1)
    assert (params.direct, params.time_based, params.runtime) == (False, False, 0)
    assert (params.norandommap, params.randrepeat, params.refill_buffers) == (False, True, False)


def test_the_teams_command_line_is_one_step() -> None:
    params = one(TEAM)
    assert params.describe() == "random write 4 KiB, QD 128, in 1 GiB"
    assert (params.runtime, params.size, params.norandommap) == (300, 1024**3, True)
    assert not params.randrepeat


@pytest.mark.parametrize(
    "text",
    [
        "fio -name=x --rw randread -thread --size 10m",
        "fio --name=x --rw=randread --thread --size=10m --output=o",
        "fio --name 'x' --rw='randread' --thread=1 --size=10m --minimal",
    ],
)
def test_command_lines_as_people_write_them(text: str) -> None:
    params = one(text)
    assert (params.rw, params.thread, params.size) == ("randread", True, 10 * 1024**2)


def test_options_before_the_first_name_hold_for_all_jobs() -> None:
    pasted = jobs_of("fio --bs=8k --size=1m --name=a --rw=read --name=b --rw=write --stonewall")
    assert [step.params["bs"] for step in pasted.steps] == [8192, 8192]


def test_jobs_at_the_same_time_are_refused_with_a_sentence() -> None:
    found = refusals("[global]\nsize=1m\n[a]\nrw=read\n[b]\nrw=write\n[c]\nstonewall\nrw=read\n")
    assert [option for option, _text in found] == ["[a]", "[b]"]
    assert all("at the same time" in text for _option, text in found)
    assert [step.name for step in jobs_of("[a]\nrw=read\n[c]\nstonewall\n").steps] == ["a", "c"]


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("exec_prerun=rm -rf /", "command"),
        ("exec_postrun=x", "command"),
        ("ioscheduler=noop", "tuning"),
        ("read_iolog=/etc/passwd", "trace"),
        ("write_iolog=/etc/cron.d/x", "trace"),
        ("opendir=/", "names a file"),
        ("verify_dump=1", "file"),
        ("bs=${BS}", "write the number"),
        ("size=$mb_memory", "write the number"),
        ("bs=(4*1024)", "write the number"),
        ("bs=$(id)", "write the number"),
        ("size=50%", "share of the target"),
        ("runtime=1500ms", "whole seconds"),
        ("runtime=5min", "no unit of fio's"),
        ("ioengine=external:/tmp/x.so", "benchlab has"),
        ("ioengine=exec", "benchlab has"),
        ("rw=randread:8", "not offered"),
        ("rate=1m,2m", "apart"),
        ("gtod_reduce=1", "latencies"),
        ("cgroup=x", "who fio is"),
        ("fill_device=1", "file system"),
        ("no_such_option=1", "no such option"),
        ("time_based=yes", "0 or 1"),
        ("bs", "missing"),
        ("iodepth=0", "At least 1"),
        ("filename=/dev/sda:/dev/sdb", "several files"),
        ("time_based", "needs a run time"),
    ],
)
def test_refused_option_has_a_note_and_makes_no_step(line: str, word: str) -> None:
    pasted = jobs_of(f"[a]\nrw=randwrite\n{line}\n[b]\nstonewall\nrw=read\n")
    assert [step.name for step in pasted.steps] == ["b"]
    said = [s for s in pasted.notes if s.kind == "refused"]
    assert len(said) == 1
    assert word in said[0].text
    assert said[0].option.startswith("[a]")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "rw=read\n[a]\n",
        "[a]\nrw=read\ninclude /etc/passwd\n",
        "include x.fio",
        "fio job.fio",
        "fio --minimal job.fio",
        "fio --rw=read",
        "[" * 50,
        "[a]\n" * 300,
    ],
)
def test_what_is_no_job_is_refused_as_a_whole(text: str) -> None:
    with pytest.raises(CommandError):
        jobs_of(text)


def test_an_option_of_the_program_that_is_unknown_refuses_its_job() -> None:
    assert "no such option" in refusals("fio --name=a --client=host --size=1m")[0][1]


def test_the_opposite_of_a_parameter_is_understood() -> None:
    assert one("[a]\nbuffered=0\n").direct
    assert one("[a]\nrw=randrw\nrwmixwrite=30\n").rwmixread == 70


def test_block_sizes_per_operation_are_read_as_ranges() -> None:
    params = one("[a]\nrw=randrw\nbs=4k,64k\n")
    assert (params.bs, params.option("bsrange")) == (4096, "4k-4k,64k-64k")


def test_a_synchronous_engine_takes_its_depth_as_fio_does() -> None:
    assert one("[a]\nioengine=sync\niodepth=32\n").iodepth == 1


def test_sizes_in_a_mix_are_read_as_fio_reads_them() -> None:
    assert one("[a]\nbssplit=4k/60:64K/40\n").option("bssplit") == "4k/60:64k/40"
    assert one("[a]\nkb_base=1000\nbssplit=1kib/60:2k/40\n").option("bssplit") == "1k/60:2000/40"


SIZES = ["4k", "4K", "4kb", "4KiB", "4kib", "1m", "1MiB", "2g", "512", "0x1000", "4ki", "1t"]
TIMES = ["30", "30s", "5m", "2h", "1d", "500ms", "100us", "250msec"]


@pytest.mark.parametrize("base", [1024, 1000])
def test_sizes_are_what_fio_itself_makes_of_them(tmp_path: Path, base: int) -> None:
    text = "\n".join(f"io_size={size}" for size in SIZES)
    assert fio_reads(tmp_path, f"kb_base={base}\n{text}") == [read_bytes(s, base) for s in SIZES]


def test_times_are_what_fio_itself_makes_of_them(tmp_path: Path) -> None:
    seconds = "\n".join(f"runtime={time}" for time in TIMES)
    assert fio_reads(tmp_path, seconds) == [read_time(t, in_seconds=True) for t in TIMES]
    waits = "\n".join(f"thinktime={time}" for time in TIMES)
    assert fio_reads(tmp_path, waits) == [read_time(t, in_seconds=False) for t in TIMES]
    assert whole_seconds("2000ms") == 2


def fio_reads(folder: Path, options: str) -> list[int]:
    """Numbers that fio's parser says it read, in the order of the lines (`--debug=parse`)."""
    job = folder / "x.fio"
    job.write_text(f"[x]\nsize=1m\nfilename=/dev/null\n{options}\n")
    call = ("fio", "--parse-only", "--debug=parse", str(job))
    said = subprocess.run(call, capture_output=True, text=True, timeout=30, check=False).stdout
    wanted = {line.partition("=")[0] for line in options.splitlines()} - {"kb_base"}
    found, name = [], ""
    for line in said.splitlines():
        if match := re.search(r"__handle_option=(\w+),", line):
            name = match[1]
        if (match := re.search(r"ret=0, out=(\d+)", line)) and name in wanted:
            found.append(int(match[1]))
    return found


def test_the_plugin_offers_it() -> None:
    assert "job file" in TOOL.importable_text


@pytest.mark.parametrize(
    ("filename", "numjobs", "expected"),
    [("/data01/test", 16, True), ("/data01/test", 1, False), ("/dev/sdb", 16, False)],
)
def test_file_of_several_jobs_is_shared(filename: str, numjobs: int, expected: bool) -> None:
    text = f"fio --name=x --rw=randwrite --size=1G --filename={filename} --numjobs={numjobs}"
    assert one(text).shared_file is expected


def test_a_job_on_a_generic_device_names_no_device_in_its_step() -> None:
    """fio's own example of FDP: a target is chosen, and the names of fio 3.38 are understood."""
    found = jobs_of(
        "[write]\nfilename=/dev/ng0n1\nioengine=io_uring_cmd\ncmd_type=nvme\niodepth=32\nbs=4K\n"
        "rw=randwrite\nfdp=1\nplids=1,2\nplid_select=roundrobin\nsize=1G\n"
    )
    (step,) = found.steps
    wanted = {"ioengine": "io_uring_cmd", "direct": True, "fdp_pli": "1,2", "fdp": True}
    assert wanted.items() <= step.params.items()
    assert not any("/dev/" in str(value) for value in step.params.values())
    refused = jobs_of("[a]\nrw=randwrite\ndp_scheme=/etc/passwd\nioengine=io_uring_cmd\n")
    assert not refused.steps

"""io_uring_cmd, placement and sprandom: what is refused, and the command line."""

from __future__ import annotations

import subprocess
from dataclasses import replace

import pytest

from apps.tools.advice import TestedTarget
from apps.tools.errors import ParamsError
from apps.tools.fio import TOOL
from apps.tools.fio.command import build_procedure, options
from apps.tools.fio.params import FioParams
from apps.tools.fio.templates import PREPARES
from apps.tools.targets import ToolTarget

GIB = 1024**3
DISK = ToolTarget("disk", "wwn-1", size=64 * GIB, device_kind="nvme")
NVME = {"ioengine": "io_uring_cmd"}
SPRANDOM = {**PREPARES["sprandom"], "spr_op": "0.07"}


def errors_of(raw: dict[str, object], target: ToolTarget | None = None) -> dict[str, str]:
    try:
        build_procedure(FioParams.from_raw(raw), target or DISK)
    except ParamsError as error:
        return dict(error.errors)
    return {}


def test_the_generic_device_is_a_placeholder_of_a_claimed_disk() -> None:
    argv = options(FioParams.from_raw({**NVME, "rw": "randwrite"}), DISK)
    assert "--filename={ng}" in argv
    assert not [word for word in argv if "{target" in word or "/dev/" in word]
    several = options(FioParams.from_raw(NVME), replace(DISK, count=2))
    assert {"--filename={ng0}", "--filename={ng1}", "--readonly"} <= set(several)
    assert build_procedure(FioParams.from_raw({**NVME, "rw": "write"}), DISK).writes


@pytest.mark.parametrize(
    ("raw", "target", "name"),
    [
        (NVME, ToolTarget("directory", "1"), "ioengine"),
        (NVME, replace(DISK, device_kind="scsi"), "ioengine"),
        (NVME, replace(DISK, device_kind="mixed", count=2), "ioengine"),
        ({**NVME, "direct": False}, DISK, "direct"),
        ({"fdp": True, "rw": "write"}, DISK, "fdp"),
        ({"dataplacement": "fdp", "rw": "write"}, DISK, "dataplacement"),
        ({**NVME, "fdp": True, "rw": "read"}, DISK, "fdp"),
        ({**NVME, "fdp": True, "rw": "write", "dataplacement": "streams"}, DISK, "dataplacement"),
        ({**NVME, "rw": "write", "fdp_pli": "1,2"}, DISK, "fdp_pli"),
        ({**NVME, "pi_chk": "GUARD /dev/sda"}, DISK, "pi_chk"),
        ({**SPRANDOM, "spr_op": None}, DISK, "spr_op"),
        ({**SPRANDOM, "spr_op": "1.5"}, DISK, "spr_op"),
        ({**SPRANDOM, "rw": "write"}, DISK, "rw"),
        ({**SPRANDOM, "norandommap": False}, DISK, "norandommap"),
        ({**SPRANDOM, "random_generator": "tausworthe"}, DISK, "random_generator"),
        ({**SPRANDOM, "numjobs": 2}, DISK, "numjobs"),
        ({**SPRANDOM, "bs": 12288}, DISK, "bs"),
        ({**SPRANDOM, "time_based": True, "runtime": 60}, DISK, "time_based"),
        ({**SPRANDOM, "io_size": "1G"}, DISK, "io_size"),
        ({"spr_op": "0.07"}, DISK, "spr_op"),
        ({**SPRANDOM, "size": "1G"}, ToolTarget("directory", "1"), "sprandom"),
    ],
)
def test_what_does_not_fit_is_refused(
    raw: dict[str, object], target: ToolTarget, name: str
) -> None:
    assert name in errors_of(raw, target)


@pytest.mark.parametrize(
    "raw",
    [
        {**NVME, "rw": "write", "fdp": True, "fdp_pli": "0-3,7", "fdp_pli_select": "random"},
        {**NVME, "rw": "randwrite", "dataplacement": "fdp"},
        {"rw": "write", "dataplacement": "streams"},
        {"rw": "read", "dataplacement": "none"},
        {"ioengine": "io_uring", "cmdprio_percentage": 10, "cmdprio_class": 1},
        {**NVME, "cmdprio_percentage": 10},
    ],
)
def test_what_fits_is_part_of_the_command(raw: dict[str, object]) -> None:
    params = FioParams.from_raw(raw)
    argv = options(params, DISK)
    assert {f"--{n}={int(v) if isinstance(v, bool) else v}" for n, v in params.more} <= set(argv)
    assert {name for name, _value in params.more} <= set(TOOL.options_of(params.canonical()))


def test_sprandom_writes_the_spare_capacity_too_and_sets_its_generator() -> None:
    params = FioParams.from_raw(SPRANDOM)
    work = build_procedure(params, DISK)
    assert work.bytes_written == 73529840108  # 64 GiB x 1.07, rounded up
    argv = work.commands[-1].argv
    assert {"--sprandom=1", "--spr_op=0.07", "--random_generator=lfsr", "--norandommap=1"} <= {
        *argv
    }
    named = options(FioParams.from_raw({**SPRANDOM, "random_generator": "lfsr"}), DISK)
    assert [word for word in named if "random_generator" in word] == ["--random_generator=lfsr"]


def test_a_fio_without_sprandom_says_so() -> None:
    """fio 3.33, which a host's check finds out before."""
    argv = [word for word in options(FioParams.from_raw(SPRANDOM), DISK) if "spr" in word]
    done = subprocess.run(
        ["fio", "--parse-only", "--name=x", "--filename=/dev/null", *argv],
        capture_output=True, text=True, timeout=30, check=False,
    )  # fmt: skip
    assert done.returncode != 0


def advice_on(raw: dict[str, object], **facts: object) -> list[str]:
    target = TestedTarget("directory", server="filer", **facts)  # type: ignore[arg-type]
    return [str(each.text) for each in TOOL.advice(FioParams.from_raw(raw), target)]


@pytest.mark.parametrize(
    ("raw", "memory", "part"),
    [
        ({"direct": False, "size": "4G", "numjobs": 4}, 64 * GIB, "fit the memory of filer"),
        ({"direct": False, "size": "4G"}, None, "Buffered files of 4 GiB on filer"),
        ({"direct": False, "size": "64G", "numjobs": 4}, 64 * GIB, ""),
        ({"direct": True, "size": "4G"}, 64 * GIB, ""),
    ],
)
def test_buffered_files_in_the_memory_of_their_server(
    raw: dict[str, object], memory: int | None, part: str
) -> None:
    texts = [text for text in advice_on(raw, server_memory_bytes=memory) if "filer" in text]
    assert [part in text for text in texts] == ([True] if part else [])

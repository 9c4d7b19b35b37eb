"""Parameters and target -> iozone's command lines, and what the real iozone makes of them."""

import shutil
import subprocess
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from apps.tools.errors import ParamsError
from apps.tools.iozone import TOOL
from apps.tools.iozone.command import build_procedure
from apps.tools.iozone.fields import OPERATIONS
from apps.tools.iozone.params import IozoneParams
from apps.tools.iozone.parser.columns import PLANNED
from apps.tools.parse_result import Output, Parsed
from apps.tools.procedure import Procedure
from apps.tools.targets import ToolTarget

FOLDER = ToolTarget("directory", "/scratch")
HARMLESS = ("drop-caches",)
MIB = 1024**2
Measuring = dict[tuple[str, int], tuple[Path, Future[Parsed]]]
"""By operation and threads: the folder of a real run, and what it will have measured."""


def plan(**raw: Any) -> Procedure:
    return build_procedure(IozoneParams.from_raw(raw), FOLDER)


def test_a_read_is_laid_out_then_read_with_a_cold_cache() -> None:
    steps = plan(operation="read", file_size="1M", record_size="64k")
    assert [command.role for command in steps.commands] == ["layout", *HARMLESS, "main"]
    sizes = ("-s", "1024", "-r", "64", "-f", "{target}/benchlab-iozone")
    assert steps.commands[0].argv == ("iozone", "-i", "0", "-w", "-+n", "-x", *sizes)
    assert steps.commands[-1].argv == ("iozone", "-i", "1", *sizes)


def test_a_write_needs_no_file_and_direct_needs_no_cold_cache() -> None:
    assert [command.role for command in plan().commands] == [*HARMLESS, "main"]
    assert [command.role for command in plan(direct=True).commands] == ["main"]


def test_flags_become_their_letters() -> None:
    flags = {"direct": True, "sync": True, "include_fsync": True, "include_close": True}
    words = plan(retest=False, **flags).commands[-1].argv
    assert words[3:8] == ("-I", "-o", "-e", "-c", "-+n")
    strided = plan(operation="stride_read", stride=5).commands[-1].argv
    assert strided[3:5] == ("-j", "5")
    assert "-B" in plan(mmap=True).commands[-1].argv


def test_several_threads_have_a_file_each() -> None:
    words = plan(operation="fread", threads=3, file_size="1M").commands[-1].argv
    at = words.index("-t")
    files = tuple(f"{{target}}/benchlab-iozone.{number}" for number in range(3))
    assert words[at:] == ("-t", "3", "-F", *files)
    assert "-t" in plan(operation="random_mix").commands[-1].argv


def test_a_disk_is_no_file_system() -> None:
    with pytest.raises(ParamsError) as caught:
        build_procedure(IozoneParams(), ToolTarget("disk", "wwn:0x5000", 1024**4))
    assert caught.value.errors["operation"].endswith(".")


@pytest.mark.parametrize(
    ("operation", "written"),
    [("write", 2), ("read", 1), ("random", 2), ("record_rewrite", 2), ("fwrite", 2)],
)
def test_expected_bytes(operation: str, written: int) -> None:
    steps = plan(operation=operation, file_size="1M")
    assert steps.bytes_written == written * MIB
    assert steps.space_needed == MIB
    assert steps.writes


def test_expected_seconds() -> None:
    assert plan(file_size="1000M").seconds == 20
    assert plan(file_size="1000M", retest=False).seconds == 10
    assert plan(operation="backward_read", file_size="100M", record_size="4k").seconds == 26.6


@pytest.mark.parametrize("operation", OPERATIONS)
def test_no_value_can_become_another_option(operation: str) -> None:
    for command in plan(operation=operation).commands:
        assert not any(letter in word for word in command.argv for letter in "\n$`;|&<> \\'\"")


def run(params: IozoneParams, folder: Path) -> Parsed:
    """The procedure as a host runs it, without touching the host's page cache."""
    stdout, code = b"", 0
    for command in build_procedure(params, FOLDER).commands:
        if command.role in HARMLESS:
            continue
        argv = [word.replace("{target}", str(folder)) for word in command.argv]
        done = subprocess.run(argv, capture_output=True, cwd=folder, timeout=60, check=False)
        stdout, code = stdout + done.stdout, done.returncode
    return TOOL.parse(Output({"stdout": stdout, "stderr": b""}, code, params.canonical()))


ASKED = [*((operation, 1) for operation in OPERATIONS), ("write", 2), ("read", 2)]


@pytest.fixture(scope="module")
def measuring(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Measuring]:
    """Each test's run in a folder of its own, at once: with threads iozone sleeps 8 or 12 s."""
    folders = {asked: tmp_path_factory.mktemp("iozone") for asked in ASKED}
    with ThreadPoolExecutor(len(ASKED)) as pool:
        yield {
            asked: (folder, pool.submit(run, small(*asked), folder))
            for asked, folder in folders.items()
        }


def small(operation: str, threads: int) -> IozoneParams:
    """A file of 4 MiB in records of 64 KiB."""
    raw = {"operation": operation, "threads": threads, "file_size": "4M", "record_size": "64k"}
    return IozoneParams.from_raw(raw)


@pytest.mark.skipif(shutil.which("iozone") is None, reason="iozone is not installed")
@pytest.mark.parametrize(("operation", "threads"), ASKED)
def test_real_iozone_measures_requested_test(
    operation: str, threads: int, measuring: Measuring
) -> None:
    folder, running = measuring[operation, threads]
    parsed = running.result()
    measured = {each.operation for each in parsed.measurements}
    assert parsed.completeness == "whole", parsed.warnings
    assert measured <= set(PLANNED[operation][1])
    assert PLANNED[operation][1][0] in measured
    for each in parsed.measurements:
        expected = {"file_size": 4 * MIB, "record_size": 65536, "threads": threads}
        assert each.params.items() >= expected.items()
    assert not list(folder.iterdir())


def test_variants_of_the_engine_become_their_letters() -> None:
    assert plan(mmap=True, msync="sync").commands[-1].argv[3:5] == ("-B", "-G")
    deep = plan(async_depth=8).commands[-1].argv
    assert deep[3:5] == ("-k", "8")
    assert "-t" in deep
    assert plan(async_depth=8, async_copies=True).commands[-1].argv[3:5] == ("-H", "8")
    assert "-t" in plan(operation="pread").commands[-1].argv

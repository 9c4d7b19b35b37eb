"""Options of iozone's processes and buffers: from a plan, and read back from a real banner."""

from __future__ import annotations

import pytest

from apps.tools.errors import ParamsError
from apps.tools.iozone import TOOL
from apps.tools.iozone.params import IozoneParams
from apps.tools.params import workload_key
from apps.tools.parse_result import Output
from apps.tools.targets import ToolTarget
from apps.tools.values import RawValue

HEAD = "\tIozone: Performance Test of File I/O\n\t        Version $Revision: 3.489 $\n"
# As iozone 3.489 printed them.
TABLE = (
    "\tFile size set to 256 kB\n\tRecord Size 64 kB\n"
    "\tCommand line used: iozone {words} -s 256k -r 64k -f /tmp/a\n\tOutput is in kBytes/sec\n"
    "{more}\tProcessor cache size set to {size} kBytes.\n"
    "\tProcessor cache line size set to {line} bytes.\n"
    "\tFile stride size set to 17 * record size.\n"
    "              kB  reclen    write  rewrite\n"
    "             256      64  3511189  2187712\n\niozone test complete.\n"
)


def words(**raw: RawValue) -> tuple[str, ...]:
    target = ToolTarget("directory", "1")
    return TOOL.build_procedure(IozoneParams.from_raw(raw), target).commands[-1].argv


def params_read(said: str, size: int = 1024, line: int = 32, more: str = "") -> dict[str, object]:
    text = HEAD + TABLE.format(words=said, size=size, line=line, more=more)
    parsed = TOOL.parse(Output({"stdout": text.encode(), "stderr": b""}))
    return dict(parsed.measurements[0].params)


@pytest.mark.parametrize(
    ("raw", "option"),
    [
        ({"pthreads": True, "threads": 2}, ("-T",)),
        ({"lock_file": True}, ("-W",)),
        ({"multiple_buffers": True}, ("-m",)),
        ({"mmap": True, "mixed_mmap": True}, ("-Z",)),
        ({"think_time": 3}, ("-J", "3")),
        ({"cache_size": "512k"}, ("-S", "512")),
        ({"cache_line": 64}, ("-L", "64")),
    ],
)
def test_each_is_an_option_of_iozone(raw: dict[str, RawValue], option: tuple[str, ...]) -> None:
    argv = words(**raw)
    place = argv.index(option[0])
    assert argv[place : place + len(option)] == option
    assert option[0] not in words()
    assert IozoneParams.from_raw(raw).describe() != IozoneParams().describe()


def test_what_nobody_sets_changes_no_key() -> None:
    usual = workload_key("iozone", IozoneParams())
    said = {"cache_size": "1M", "cache_line": 32, "think_time": 0, "lock_file": False}
    assert workload_key("iozone", IozoneParams.from_raw(said)) == usual
    assert workload_key("iozone", IozoneParams.from_raw({"lock_file": True})) != usual


@pytest.mark.parametrize(
    ("raw", "name"),
    [({"pthreads": True}, "pthreads"), ({"mixed_mmap": True}, "mixed_mmap"),
     ({"cache_size": "1500"}, "cache_size")],
)  # fmt: skip
def test_what_does_not_go_together_gets_a_sentence(raw: dict[str, RawValue], name: str) -> None:
    with pytest.raises(ParamsError) as caught:
        IozoneParams.from_raw(raw)
    assert name in caught.value.errors


def test_imports_distinguish_them() -> None:
    usual = params_read("-i 0")
    assert usual.keys().isdisjoint(IozoneParams.later)
    assert (usual["file_size"], usual["record_size"], usual["threads"]) == (262144, 65536, 1)
    computing = "\tCompute time 0.001000 seconds for reads and writes.\n"
    assert params_read("-i 0 -J 1", more=computing)["think_time"] == 1
    found = params_read("-i 0 -W -m -B -Z", size=512, line=64)
    assert {name for name, value in found.items() if value is True and name != "retest"} == {
        *("lock_file", "multiple_buffers", "mmap", "mixed_mmap"),
    }
    assert (found["cache_size"], found["cache_line"]) == (512 * 1024, 64)


def test_computing_takes_its_time() -> None:
    target = ToolTarget("directory", "1")
    slow = TOOL.build_procedure(
        IozoneParams.from_raw({"think_time": 10, "file_size": "4M"}), target
    )
    quick = TOOL.build_procedure(IozoneParams.from_raw({"file_size": "4M"}), target)
    assert slow.seconds - quick.seconds == pytest.approx(2 * 1024 * 0.01)

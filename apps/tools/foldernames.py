"""What the names of folders and files say of a test: bench-fio's, the Ceph benchmarking tool's
(CBT), and what people call their own.

bench-fio (louwrentius/fio-plot) writes `<target>/[<pattern><share of reads>/]<block size>/
<pattern>-<depth>-<jobs>.json`, in its first versions `<target>/<pattern>-<depth>-<jobs>.json`. CBT
(ceph/cbt) writes `<iteration, 8 digits>/.../osd_ra-00004096/op_size-00004096/concurrent_procs-016/
iodepth-006/<pattern>/output.<process>[.<host>]`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from .base import JSON
from .params import parse_size

PATTERNS = "randread|randwrite|randrw|randtrim|trimwrite|read|write|readwrite|rw|trim"
_SPELLINGS = {"readwrite": "rw"}
_BENCH_FIO = re.compile(rf"(?P<rw>{PATTERNS})-(?P<iodepth>\d{{1,5}})-(?P<numjobs>\d{{1,5}})\.json")
_PATTERN = re.compile(rf"(?P<rw>{PATTERNS})(?P<mix>\d{{1,3}})?")
_BLOCK = re.compile(r"\d{1,7}[kKmM]?")
_NUMBERED = re.compile(r"(?P<name>[a-z_]{2,32})-(?P<number>\d{1,12})")
_OUTPUT = re.compile(
    r"(?P<derived>json_)?output\.(?P<process>\d{1,6})(?:\.(?P<host>[\w.-]{1,253}))?"
)
_ITERATION = re.compile(r"\d{8}")
_TOOLS_OWN = {
    "fio": {"op_size": "bs", "iodepth": "iodepth", "numjobs": "numjobs"},
    "rados": {"op_size": "bs", "concurrent_ops": "threads"},
}
# Parameters of no tool that change what is measured: a sweep over them is no row of repeats.
_CONDITIONS = frozenset({"osd_ra", "concurrent_procs"})
CBT_FOLDER = re.compile(r"(?:^|/)(?:osd_ra|op_size|concurrent_procs|concurrent_ops|iodepth)-\d")


@dataclass(frozen=True)
class Said:
    """What a path says; the empty text and None where it says nothing."""

    params: JSON = field(default_factory=dict)
    target: str = ""
    host: str = ""
    repeat: int | None = None


@dataclass(frozen=True)
class CbtOutput:
    """One of CBT's output files: which process, on which client, and whether CBT made it of
    another."""

    process: int
    host: str
    derived: bool


def bench_fio(path: str) -> Said | None:
    """What a path of bench-fio says; None for any other."""
    *folders, name = path.split("/")
    match = _BENCH_FIO.fullmatch(name)
    if match is None:
        return None
    params: JSON = {"rw": _pattern(match["rw"])}
    params |= {"iodepth": int(match["iodepth"]), "numjobs": int(match["numjobs"])}
    if folders and _BLOCK.fullmatch(folders[-1]):
        params["bs"] = parse_size(folders.pop())
    if folders and (mix := _PATTERN.fullmatch(folders[-1])) and mix["mix"]:
        params["rwmixread"] = min(int(mix["mix"]), 100)
        folders.pop()
    return Said(params, target=folders[-1] if folders else "")


def cbt_output(path: str) -> CbtOutput | None:
    """Which of CBT's output files this is; None for any other file."""
    folder, _, name = path.rpartition("/")
    match = _OUTPUT.fullmatch(name)
    if match is None or not CBT_FOLDER.search(folder):
        return None
    return CbtOutput(int(match["process"]), match["host"] or "", bool(match["derived"]))


def cbt(path: str, tool: str) -> Said:
    """What the folders above one of CBT's files say, by the parameters of the tool."""
    params: JSON = {}
    repeat = None
    for folder in path.split("/")[:-1]:
        numbered = _NUMBERED.fullmatch(folder)
        if numbered and (known := _TOOLS_OWN.get(tool, {}).get(numbered["name"])):
            params[known] = int(numbered["number"])
        elif numbered and numbered["name"] in _CONDITIONS:
            params[numbered["name"]] = int(numbered["number"])
        elif tool == "fio" and _PATTERN.fullmatch(folder):
            params["rw"] = _pattern(folder)
        elif _ITERATION.fullmatch(folder):
            repeat = int(folder) + 1
    output = cbt_output(path)
    return Said(params, host=output.host if output else "", repeat=repeat)


def _pattern(name: str) -> str:
    return _SPELLINGS.get(name, name)

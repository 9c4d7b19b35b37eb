"""Parameters in the names of folders that the Ceph benchmarking tool (CBT, ceph/cbt) writes,
whatever tool it called: `<iteration, 8
digits>/.../osd_ra-00004096/op_size-00004096/concurrent_procs-016/
iodepth-006/<pattern>/output.<process>[.<host>]`. What a tool's own parameters are called there is
known in its plugin (`Tool.folder_says`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps.tools.values import Parameters

from .bundle import PathHints

if TYPE_CHECKING:
    from apps.tools.base import Tool

_NUMBERED = re.compile(r"(?P<name>[a-z_]{2,32})-(?P<number>\d{1,12})")
_OUTPUT = re.compile(
    r"(?P<derived>json_)?output\.(?P<process>\d{1,6})(?:\.(?P<host>[\w.-]{1,253}))?"
)
_ITERATION = re.compile(r"\d{8}")
# Parameters of no tool that change what is measured: a sweep over them is no row of repeats.
_CONDITIONS = {"osd_ra": "osd_ra", "concurrent_procs": "concurrent_procs"}
CBT_FOLDER = re.compile(r"(?:^|/)(?:osd_ra|op_size|concurrent_procs|concurrent_ops|iodepth)-\d")


@dataclass(frozen=True)
class CbtOutput:
    """One of CBT's output files: which process, on which client, and whether CBT made it of
    another.
    """

    process: int
    host: str
    derived: bool


def cbt_output(path: str) -> CbtOutput | None:
    """The kind of CBT's output file; None for any other file."""
    folder, _, name = path.rpartition("/")
    match = _OUTPUT.fullmatch(name)
    if match is None or not CBT_FOLDER.search(folder):
        return None
    return CbtOutput(int(match["process"]), match["host"] or "", bool(match["derived"]))


def numbered(folder: str, names: Mapping[str, str]) -> Parameters:
    """The value in "op_size-00004096" where `names` has a parameter for "op_size"; else nothing."""
    match = _NUMBERED.fullmatch(folder)
    known = names.get(match["name"]) if match else None
    return {known: int(match["number"])} if match and known else {}


def cbt(path: str, plugin: Tool) -> PathHints:
    """Parameters in the folders above one of CBT's files, by the parameters of the tool."""
    params: Parameters = {}
    repeat = None
    for folder in path.split("/")[:-1]:
        said = plugin.folder_says(folder) or numbered(folder, _CONDITIONS)
        params |= said
        if not said and _ITERATION.fullmatch(folder):
            repeat = int(folder) + 1
    output = cbt_output(path)
    return PathHints(params, host=output.host if output else "", repeat=repeat)

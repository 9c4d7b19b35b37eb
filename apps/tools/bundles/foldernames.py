"""Parameters in folder names of the Ceph benchmarking tool (CBT, ceph/cbt), for any tool it calls.

The folders are `<iteration, 8
digits>/.../osd_ra-00004096/op_size-00004096/concurrent_procs-016/iodepth-006/<pattern>/output.<process>[.<host>]`.
The plugin of a tool maps the folders of its own parameters (`Tool.parse_path`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from apps.tools.values import Parameters

from .bundle import PathHints

FolderParser = Callable[[str], Parameters]
"""A tool's `parse_path`: the parameters in the name of one folder; {} for none."""

_NUMBERED = re.compile(r"(?P<name>[a-z_]{2,32})-(?P<number>\d{1,12})")
_OUTPUT = re.compile(
    r"(?P<derived>json_)?output\.(?P<process>\d{1,6})(?:\.(?P<host>[\w.-]{1,253}))?"
)
_ITERATION = re.compile(r"\d{8}")
# Conditions that belong to no tool but change the result: their sweep is not a set of repeats.
_CONDITIONS = {"osd_ra": "osd_ra", "concurrent_procs": "concurrent_procs"}
CBT_FOLDER = re.compile(r"(?:^|/)(?:osd_ra|op_size|concurrent_procs|concurrent_ops|iodepth)-\d")


@dataclass(frozen=True)
class CbtOutput:
    """One of CBT's output files: process, client, and whether CBT derived it from another file."""

    process: int
    host: str
    derived: bool


def cbt_output(path: str) -> CbtOutput | None:
    """Return the process and client of CBT's output file; None for any other file."""
    folder, _, name = path.rpartition("/")
    match = _OUTPUT.fullmatch(name)
    if match is None or not CBT_FOLDER.search(folder):
        return None
    return CbtOutput(int(match["process"]), match["host"] or "", bool(match["derived"]))


def numbered(folder: str, names: Mapping[str, str]) -> Parameters:
    """Return the value in "op_size-00004096" if `names` has a parameter for "op_size", else {}."""
    match = _NUMBERED.fullmatch(folder)
    param = names.get(match["name"]) if match else None
    return {param: int(match["number"])} if match and param else {}


def cbt(path: str, parse_folder: FolderParser) -> PathHints:
    """Return the parameters in the folders above one of CBT's files, as the tool reads them."""
    params: Parameters = {}
    repeat = None
    for folder in path.split("/")[:-1]:
        folder_params = parse_folder(folder) or numbered(folder, _CONDITIONS)
        params |= folder_params
        if not folder_params and _ITERATION.fullmatch(folder):
            repeat = int(folder) + 1
    output = cbt_output(path)
    return PathHints(params, host=output.host if output else "", repeat=repeat)

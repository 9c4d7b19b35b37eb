"""Parameters of fio tests in the folder and file names of bench-fio and CBT.

bench-fio (louwrentius/fio-plot) writes `<target>/[<pattern><share of reads>/]<block
size>/<pattern>-<depth>-<jobs>.json`; its first versions `<target>/<pattern>-<depth>-<jobs>.json`.
CBT is the Ceph benchmarking tool.
"""

from __future__ import annotations

import re

from apps.tools.bundles.bundle import PathHints
from apps.tools.bundles.foldernames import numbered
from apps.tools.param_values import parse_size
from apps.tools.values import Parameters

PATTERNS = "randread|randwrite|randrw|randtrim|trimwrite|read|write|readwrite|rw|trim"
_SPELLINGS = {"readwrite": "rw"}
_BENCH_FIO = re.compile(rf"(?P<rw>{PATTERNS})-(?P<iodepth>\d{{1,5}})-(?P<numjobs>\d{{1,5}})\.json")
_PATTERN = re.compile(rf"(?P<rw>{PATTERNS})(?P<mix>\d{{1,3}})?")
_BLOCK = re.compile(r"\d{1,7}[kKmM]?")
_CBT_PARAMS = {"op_size": "bs", "iodepth": "iodepth", "numjobs": "numjobs"}


def bench_fio(path: str) -> PathHints | None:
    """Return the parameters in a path of bench-fio; None for any other."""
    *folders, name = path.split("/")
    match = _BENCH_FIO.fullmatch(name)
    if match is None:
        return None
    params: Parameters = {"rw": _pattern(match["rw"])}
    params |= {"iodepth": int(match["iodepth"]), "numjobs": int(match["numjobs"])}
    if folders and _BLOCK.fullmatch(folders[-1]):
        params["bs"] = parse_size(folders.pop())
    if folders and (mix := _PATTERN.fullmatch(folders[-1])) and mix["mix"]:
        params["rwmixread"] = min(int(mix["mix"]), 100)
        folders.pop()
    return PathHints(params, target=folders[-1] if folders else "")


def parse_path(name: str) -> Parameters:
    """Return fio's parameters in a folder of CBT: "op_size-00004096", "randread"."""
    if params := numbered(name, _CBT_PARAMS):
        return params
    return {"rw": _pattern(name)} if _PATTERN.fullmatch(name) else {}


def _pattern(name: str) -> str:
    return _SPELLINGS.get(name, name)

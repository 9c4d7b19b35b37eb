"""Conditions of the host during a test that may explain its result: `conditions` of exit.json.

Read once before the first command and once after the last, so that the test is not disturbed.
"""

import glob
import os
import time
from typing import Dict, List, Optional, Set, Tuple

from ..disks.backing_disks import backing_disks_or_none
from ..files import list_folder, read_int, read_text
from ..schema import HostConditions
from .kernel_log import KernelLog

THROTTLE = "/sys/devices/system/cpu/cpu*/thermal_throttle"
SECTOR = 512
MAX_DISKS, MAX_LIMITS = 64, 32
V1_FILES = {
    "blkio.throttle.read_bps_device": "read_bps",
    "blkio.throttle.write_bps_device": "write_bps",
    "blkio.throttle.read_iops_device": "read_iops",
    "blkio.throttle.write_iops_device": "write_iops",
}
STEAL, GUEST = 7, 8


class ConditionsReader:
    """Reads the conditions between `begin` and `end`. `tested`: names of the disks under test."""

    def __init__(self, log: Optional[KernelLog] = None) -> None:
        self.log = log or KernelLog()
        self.tested: List[str] = []
        self.before: Dict[str, List[int]] = {}
        self.throttles: Optional[int] = None
        self.cpu: List[int] = []
        self.limits: List[str] = []
        self.runnable: Optional[int] = None
        self.waiting: Optional[int] = None
        self.started = 0.0

    def begin(self, tested: List[str]) -> None:
        """Read the counters before the first command."""
        self.tested = tested
        self.log.begin()
        self.limits = io_limits()
        self.throttles, self.cpu = throttle_count(), cpu_ticks()
        self.before = disk_bytes()
        self.runnable, self.waiting, self.started = runnable(), cpu_wait(), time.monotonic()

    def end(self) -> HostConditions:
        """Return the conditions after the last command."""
        waited, seconds = cpu_wait(), max(time.monotonic() - self.started, 0.001)
        queues = [one for one in (self.runnable, runnable()) if one is not None]
        after = disk_bytes()
        throttles, cpu = throttle_count(), cpu_ticks()
        both = None not in (throttles, self.throttles)
        return {
            "kernel_errors": self.log.end(),
            "throttle_count": max(0, (throttles or 0) - (self.throttles or 0)) if both else None,
            "steal_percent": steal_percent(self.cpu, cpu),
            "cpu_wait_percent": wait_percent(self.waiting, waited, seconds),
            "runnable": sum(queues) / len(queues) if queues else None,
            "other_disks": other_disks(self.before, after, below_disks(self.tested)),
            "io_limits": sorted(set(self.limits) | set(io_limits()))[:MAX_LIMITS],
        }


def throttle_count() -> Optional[int]:
    """Return how often cores and packages lowered their frequency for heat; None if unknown.

    The cores of a package report one common counter.
    """
    cores, packages = [], {}
    for folder in glob.glob(THROTTLE):
        cores.append(read_int(folder + "/core_throttle_count"))
        topology = os.path.dirname(folder) + "/topology/physical_package_id"
        count = read_int(folder + "/package_throttle_count")
        packages[read_int(topology)] = count or 0
    known = [one for one in cores if one is not None]
    return sum(known) + sum(packages.values()) if known else None


def cpu_ticks() -> List[int]:
    """Return the ticks of all CPUs by state, without the guests' (they are in `user` as well)."""
    row = (read_text("/proc/stat") or "").partition("\n")[0].split()
    return [int(word) for word in row[1 : GUEST + 1]] if row[:1] == ["cpu"] else []


def steal_percent(before: List[int], after: List[int]) -> Optional[float]:
    """Return the share of CPU time that the hypervisor gave to others; None if unknown."""
    spent = [b - a for a, b in zip(before, after)]  # noqa: B905
    if len(spent) <= STEAL or sum(spent) <= 0:
        return None
    return round(100.0 * spent[STEAL] / sum(spent), 3)


def runnable() -> Optional[int]:
    """Return the number of tasks that run or wait for a CPU now, without this one; None if unknown.

    Field 4 of /proc/loadavg: "3/1024".
    """
    words = (read_text("/proc/loadavg") or "").split()
    count = words[3].partition("/")[0] if len(words) > 3 else ""
    return max(0, int(count) - 1) if count.isdigit() else None


def cpu_wait() -> Optional[int]:
    """Return the microseconds since the boot in which a task waited for a CPU; None if unknown.

    The line "some" of /proc/pressure/cpu (Documentation/accounting/psi.rst).
    """
    row = (read_text("/proc/pressure/cpu") or "").partition("\n")[0]
    total = row.rpartition("total=")[2]
    return int(total) if row.startswith("some") and total.isdigit() else None


def wait_percent(before: Optional[int], after: Optional[int], seconds: float) -> Optional[float]:
    """Return the share of the time in which a task waited for a CPU; None if unknown."""
    if before is None or after is None:
        return None
    return round(min(100.0, max(0, after - before) / seconds / 1e4), 1)


def disk_bytes() -> Dict[str, List[int]]:
    """Return bytes read and written by each whole disk since the boot (/proc/diskstats)."""
    whole = set(list_folder("/sys/block"))
    result: Dict[str, List[int]] = {}
    for row in (read_text("/proc/diskstats") or "").splitlines():
        words = row.split()
        if len(words) > 9 and words[2] in whole:
            result[words[2]] = [int(words[5]) * SECTOR, int(words[9]) * SECTOR]
    return result


def other_disks(
    before: Dict[str, List[int]], after: Dict[str, List[int]], below: Set[str]
) -> Dict[str, Tuple[int, int]]:
    """Return bytes read and written by the other disks that moved any, the busiest first."""
    moved = {}
    for name, (read, written) in after.items():
        if name not in below:
            old_read, old_written = before.get(name, [0, 0])
            moved[name] = (max(0, read - old_read), max(0, written - old_written))
    busy = sorted((-sum(both), name) for name, both in moved.items() if sum(both))
    return {name: moved[name] for _bytes, name in busy[:MAX_DISKS]}


def below_disks(names: List[str]) -> Set[str]:
    """Return these disks, and all that they stand on: their I/O is the test's own."""
    result: Set[str] = set()
    todo = list(names)
    while todo:
        name = todo.pop()
        if name in result:
            continue
        result.add(name)
        todo += list_folder("/sys/block/{}/slaves".format(name))
        file = read_text("/sys/block/{}/loop/backing_file".format(name))
        if file:
            todo += [block.name for block in backing_disks_or_none(os.path.dirname(file))]
    return result


def io_limits() -> List[str]:
    """Return the I/O limits of this process's control groups: "read_bps loop0 1048576".

    A limit of a parent applies too.
    """
    result: List[str] = []
    for kind, root, path in control_groups():
        for folder in parents(root, path):
            if kind == "cgroup2":
                result += limits_of_v2(read_text(folder + "/io.max") or "")
            else:
                for name, limit in V1_FILES.items():
                    result += limits_of_v1(limit, read_text("{}/{}".format(folder, name)) or "")
    return sorted(set(result))[:MAX_LIMITS]


def limits_of_v1(limit: str, text: str) -> List[str]:
    """Return the limits of a file with rows "8:0 1048576"."""
    rows = [row.split() for row in text.splitlines()]
    return ["{} {} {}".format(limit, disk_name(row[0]), row[1]) for row in rows if len(row) == 2]


def limits_of_v2(text: str) -> List[str]:
    """Return the limits of io.max: rows "8:0 rbps=1048576 wbps=max riops=max wiops=max"."""
    names = {"rbps": "read_bps", "wbps": "write_bps", "riops": "read_iops", "wiops": "write_iops"}
    result = []
    for row in text.splitlines():
        words = row.split()
        for word in words[1:]:
            name, _, value = word.partition("=")
            if name in names and value != "max":
                result.append("{} {} {}".format(names[name], disk_name(words[0]), value))
    return result


def disk_name(number: str) -> str:
    """Return the name of a disk by its number, the number for an unknown one."""
    target = os.path.realpath("/sys/dev/block/{}".format(number))
    return os.path.basename(target) if os.path.exists(target) else number


def control_groups() -> List[Tuple[str, str, str]]:
    """Return (file system, mount point, folder) of the groups that may limit I/O."""
    result = []
    mine = {}
    for row in (read_text("/proc/self/cgroup") or "").splitlines():
        number, names, path = (row.split(":", 2) + ["", ""])[:3]
        if "blkio" in names.split(","):
            mine["cgroup"] = path
        elif number == "0" and not names:
            mine["cgroup2"] = path
    for row in (read_text("/proc/self/mountinfo") or "").splitlines():
        words, _, tail = row.partition(" - ")
        fields, kind = words.split(), tail.split()
        if len(fields) < 5 or len(kind) < 3 or kind[0] not in mine:
            continue
        if kind[0] == "cgroup" and "blkio" not in kind[2].split(","):
            continue
        path, root = mine[kind[0]], fields[3]
        inside = path[len(root) :] if root != "/" and path.startswith(root) else path
        result.append((kind[0], fields[4], fields[4].rstrip("/") + "/" + inside.strip("/")))
    return result


def parents(root: str, folder: str) -> List[str]:
    """Return a folder and those above it, up to the root of its mount."""
    result = [folder.rstrip("/")]
    while len(result[-1]) > len(root.rstrip("/")) and result[-1]:
        result.append(os.path.dirname(result[-1]))
    return result

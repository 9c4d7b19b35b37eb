"""host.log: what the host did as a whole, once a second, on the tool's time axis: counters of
proc(5), sensors of hwmon and of RAPL (Documentation/hwmon/sysfs-interface.rst,
Documentation/power/powercap), and the processor time of the job's own processes.
"""

import glob
import os
from typing import Dict, List, Optional, Tuple

from ..files import read_int, read_text

LOG = "host.log"
TICKS = float(os.sysconf("SC_CLK_TCK"))
CARDS, SENSORS, CORES = 32, 16, 1024
# Sensors are asked every so many samples; asking a disk (drivetemp) would disturb it.
SLOW = 10
ASKS_DISKS = ("drivetemp",)
RAPL = "/sys/class/powercap/intel-rapl:[0-9]*"


class HostCounters:
    """One host's counters; `sample` gives a line without its time."""

    def __init__(self) -> None:
        self.cores: Dict[str, Tuple[int, int]] = {}
        self.sensors = temperatures()
        self.power = [path for path in glob.glob(RAPL) if path.count(":") == 1][:SENSORS]
        self.number = 0

    def sample(self) -> Dict[str, object]:
        """Cumulative: `cpu` in ticks by state, `switches`, `interrupts`, `net` bytes in and out by
        card, `energy` in microjoules, `tool` processor seconds of the job's processes. As it is
        now: `cores` busy in percent since the sample before, `used` bytes of memory, `degrees`.
        """
        found: Dict[str, object] = dict(self.statistics())
        found["used"] = memory_used()
        found["net"] = cards()
        found["tool"] = processor_time()
        if self.sensors and self.number % SLOW == 0:
            found["degrees"] = {name: read_int(path) for name, path in self.sensors}
        if self.power:
            energy = {os.path.basename(path): read_int(path + "/energy_uj") for path in self.power}
            found["energy"] = energy
        self.number += 1
        return found

    def statistics(self) -> Dict[str, object]:
        """Lines of /proc/stat."""
        found: Dict[str, object] = {}
        cores: List[int] = []
        for row in (read_text("/proc/stat") or "").splitlines():
            name, _, rest = row.partition(" ")
            if name == "cpu":
                found["cpu"] = [int(word) for word in rest.split()[:8]]
            elif name.startswith("cpu") and len(cores) < CORES:
                cores.append(self.busy(name, [int(word) for word in rest.split()[:8]]))
            elif name == "ctxt":
                found["switches"] = int(rest)
            elif name == "intr":
                found["interrupts"] = int(rest.split(" ", 1)[0])
        found["cores"] = cores
        return found

    def busy(self, name: str, ticks: List[int]) -> int:
        """Percent of the time since the sample before in which a core was neither idle nor waiting
        for a disk.
        """
        total, idle = sum(ticks), ticks[3] + ticks[4]
        before = self.cores.get(name, (total, idle))
        self.cores[name] = total, idle
        spent = total - before[0]
        return round(100 * (spent - (idle - before[1])) / spent) if spent > 0 else 0


def temperatures() -> List[Tuple[str, str]]:
    """Sensors by the names of their chips: ("k10temp", path of its millidegrees)."""
    found = []
    for folder in sorted(glob.glob("/sys/class/hwmon/hwmon*")):
        chip = read_text(folder + "/name") or ""
        if chip in ASKS_DISKS:
            continue
        for path in sorted(glob.glob(folder + "/temp*_input")):
            label = read_text(path.replace("_input", "_label"))
            found.append((" ".join(word for word in (chip, label) if word)[:40], path))
    return found[:SENSORS]


def memory_used() -> Optional[int]:
    """Bytes that are neither free nor a cache (MemTotal - MemAvailable)."""
    rows = dict(row.partition(":")[::2] for row in (read_text("/proc/meminfo") or "").splitlines())
    try:
        both = [int(rows[name].split()[0]) for name in ("MemTotal", "MemAvailable")]
    except (KeyError, ValueError, IndexError):
        return None
    return (both[0] - both[1]) * 1024


def cards() -> Dict[str, List[int]]:
    """Bytes received and sent by each network card that ever did; not the loopback."""
    found: Dict[str, List[int]] = {}
    for row in (read_text("/proc/net/dev") or "").splitlines()[2:]:
        name, _, rest = row.partition(":")
        words = rest.split()
        if name.strip() != "lo" and len(words) > 8 and len(found) < CARDS:
            both = [int(words[0]), int(words[8])]
            if any(both):
                found[name.strip()] = both
    return found


def processor_time() -> Optional[float]:
    """Seconds that this process's descendants have used, ended ones too; None where this kernel
    does not list children (CONFIG_PROC_CHILDREN).
    """
    times = os.times()
    total, todo = (times[2] + times[3]) * TICKS, children(os.getpid())
    if todo is None:
        return None
    while todo:
        pid = todo.pop()
        words = (read_text("/proc/{}/stat".format(pid)) or "").rpartition(")")[2].split()
        if len(words) > 14:
            total += sum(int(word) for word in words[11:15])
            todo += children(pid) or []
    return round(total / TICKS, 2)


def children(pid: int) -> Optional[List[int]]:
    """The children of a process; None where that cannot be read."""
    text = read_text("/proc/{0}/task/{0}/children".format(pid))
    return None if text is None else [int(word) for word in text.split()]

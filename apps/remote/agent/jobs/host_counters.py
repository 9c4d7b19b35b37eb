"""Read a line of host.log: counters of the host once a second, on the tool's time axis.

Counters of proc(5), sensors of hwmon and RAPL (Documentation/hwmon/sysfs-interface.rst,
Documentation/power/powercap), and the CPU time of the job's processes.
"""

import glob
import os
from typing import Dict, List, Optional, Tuple

from ..files import read_int, read_text

LOG = "host.log"
TICKS = float(os.sysconf("SC_CLK_TCK"))
MAX_CARDS, MAX_SENSORS, MAX_CORES = 32, 16, 1024
# Sensors are read every so many samples; reading that of a disk (drivetemp) would disturb it.
SENSOR_INTERVAL = 10
DISK_SENSORS = ("drivetemp",)
RAPL = "/sys/class/powercap/intel-rapl:[0-9]*"


class HostCounters:
    """Counters of one host; `sample` returns a line without its time."""

    def __init__(self) -> None:
        self.cores: Dict[str, Tuple[int, int]] = {}
        self.sensors = temperatures()
        self.power = [path for path in glob.glob(RAPL) if path.count(":") == 1][:MAX_SENSORS]
        self.number = 0

    def sample(self) -> Dict[str, object]:
        """Return one sample.

        Cumulative: `cpu` in ticks by state, `switches`, `interrupts`, `net` bytes in and out by
        card, `energy` in microjoules, `tool` CPU seconds of the job's processes. Current: `cores`
        busy in percent since the last sample, `used` bytes of memory, `degrees`.
        """
        result: Dict[str, object] = dict(self.statistics())
        result["used"] = memory_used()
        result["net"] = network_bytes()
        result["tool"] = processor_time()
        if self.sensors and self.number % SENSOR_INTERVAL == 0:
            result["degrees"] = {name: read_int(path) for name, path in self.sensors}
        if self.power:
            energy = {os.path.basename(path): read_int(path + "/energy_uj") for path in self.power}
            result["energy"] = energy
        self.number += 1
        return result

    def statistics(self) -> Dict[str, object]:
        """Return counters of /proc/stat."""
        result: Dict[str, object] = {}
        cores: List[int] = []
        for row in (read_text("/proc/stat") or "").splitlines():
            name, _, rest = row.partition(" ")
            if name == "cpu":
                result["cpu"] = [int(word) for word in rest.split()[:8]]
            elif name.startswith("cpu") and len(cores) < MAX_CORES:
                cores.append(self.busy(name, [int(word) for word in rest.split()[:8]]))
            elif name == "ctxt":
                result["switches"] = int(rest)
            elif name == "intr":
                result["interrupts"] = int(rest.split(" ", 1)[0])
        result["cores"] = cores
        return result

    def busy(self, name: str, ticks: List[int]) -> int:
        """Return the busy percentage of a core since the last sample, without iowait."""
        total, idle = sum(ticks), ticks[3] + ticks[4]
        before = self.cores.get(name, (total, idle))
        self.cores[name] = total, idle
        spent = total - before[0]
        return round(100 * (spent - (idle - before[1])) / spent) if spent > 0 else 0


def temperatures() -> List[Tuple[str, str]]:
    """Return sensors by chip name: ("k10temp", path of its millidegrees)."""
    result = []
    for folder in sorted(glob.glob("/sys/class/hwmon/hwmon*")):
        chip = read_text(folder + "/name") or ""
        if chip in DISK_SENSORS:
            continue
        for path in sorted(glob.glob(folder + "/temp*_input")):
            label = read_text(path.replace("_input", "_label"))
            result.append((" ".join(word for word in (chip, label) if word)[:40], path))
    return result[:MAX_SENSORS]


def memory_used() -> Optional[int]:
    """Return bytes that are neither free nor cache (MemTotal - MemAvailable)."""
    rows = dict(row.partition(":")[::2] for row in (read_text("/proc/meminfo") or "").splitlines())
    try:
        sizes = [int(rows[name].split()[0]) for name in ("MemTotal", "MemAvailable")]
    except (KeyError, ValueError, IndexError):
        return None
    return (sizes[0] - sizes[1]) * 1024


def network_bytes() -> Dict[str, List[int]]:
    """Return bytes received and sent by each active network card, without loopback."""
    result: Dict[str, List[int]] = {}
    for row in (read_text("/proc/net/dev") or "").splitlines()[2:]:
        name, _, rest = row.partition(":")
        words = rest.split()
        if name.strip() != "lo" and len(words) > 8 and len(result) < MAX_CARDS:
            counters = [int(words[0]), int(words[8])]
            if any(counters):
                result[name.strip()] = counters
    return result


def processor_time() -> Optional[float]:
    """Return CPU seconds of this process's descendants, including ended ones.

    None if the kernel does not list children (CONFIG_PROC_CHILDREN).
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
    """Return the children of a process; None if they cannot be read."""
    text = read_text("/proc/{0}/task/{0}/children".format(pid))
    return None if text is None else [int(word) for word in text.split()]

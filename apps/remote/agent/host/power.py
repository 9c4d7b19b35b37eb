"""Power of this host: RAPL's energy counters of CPU packages, and the BMC's reading by DCMI.

RAPL (Documentation/power/powercap) counts CPU packages only. DCMI's reading is of the whole host.
"""

import glob
import os
import re
import subprocess
from typing import Dict, List, Optional, Tuple

from ..files import read_int

PACKAGES = "/sys/class/powercap/intel-rapl:[0-9]*"
MAX_PACKAGES = 16
DCMI = ["ipmitool", "dcmi", "power", "reading"]
DCMI_SECONDS = 10.0
READING = re.compile(r"Instantaneous power reading:\s*([0-9]+) Watts")
ACTIVE = re.compile(r"Power reading state is:\s*activated")
# Why there is no reading, as the log names it.
NO_PROGRAM, NO_DEVICE, UNSUPPORTED = "no-program", "no-device", "unsupported"
INACTIVE, FAILED = "inactive", "failed"


class PackageEnergy:
    """Energy of each CPU package in microjoules since the first reading.

    The counters start again at `max_energy_range_uj`, at 200 W after some 20 minutes.
    """

    def __init__(self, pattern: str = PACKAGES) -> None:
        paths = [path for path in sorted(glob.glob(pattern)) if path.count(":") == 1]
        self.ranges: Dict[str, int] = {}
        self.last: Dict[str, int] = {}
        for path in paths[:MAX_PACKAGES]:
            # Only root reads them since Linux 5.10.
            energy, limit = read_int(path + "/energy_uj"), read_int(path + "/max_energy_range_uj")
            if energy is not None and limit:
                self.ranges[path], self.last[path] = limit, energy
        self.total = dict.fromkeys(self.last, 0)

    def read(self) -> Dict[str, int]:
        """Return the energy by package; call it at least once in each round of the counters."""
        for path in self.last:
            energy = read_int(path + "/energy_uj")
            if energy is not None:
                # A round has `range` + 1 steps.
                self.total[path] += (energy - self.last[path]) % (self.ranges[path] + 1)
                self.last[path] = energy
        return {os.path.basename(path): total for path, total in self.total.items()}


def host_power(environment: Dict[str, str]) -> Tuple[Optional[int], str]:
    """Return the whole host's power in watts, or None and why the BMC does not tell."""
    try:
        done = subprocess.run(
            DCMI,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=environment,
            timeout=DCMI_SECONDS,
        )
    except FileNotFoundError:
        return None, NO_PROGRAM
    except (OSError, subprocess.SubprocessError):
        return None, FAILED
    return parse_dcmi(done.stdout.decode("utf-8", "replace"))


def parse_dcmi(text: str) -> Tuple[Optional[int], str]:
    """Parse ipmitool's output. A reading of 0 W is that of a BMC that does not measure."""
    match = READING.search(text)
    if match:
        watts = int(match.group(1))
        return (watts, "") if watts and ACTIVE.search(text) else (None, INACTIVE)
    kinds: List[Tuple[str, str]] = [
        ("Could not open device", NO_DEVICE),
        ("(c1)", UNSUPPORTED),
        ("Invalid command", UNSUPPORTED),
    ]
    return None, next((kind for words, kind in kinds if words in text), FAILED)

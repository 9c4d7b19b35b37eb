"""Write power.log: the power of the host, from before a job's first command to after its last.

A separate process reads, since a BMC may take seconds to answer. What comes before the first
command is the idle baseline.
"""

import json
import time
from typing import Dict, Optional

from ..host.identity import command_environment
from ..host.power import FAILED, PackageEnergy, host_power
from ..processes.companion import Companion, ended_within
from ..processes.job_folder import Job

LOG = "power.log"
INTERVAL_SECONDS = 3.0
# A BMC that fails so often in a row is not asked again; any other refusal is final.
MAX_FAILURES = 3


class PowerMonitor(Companion):
    """The supervisor's handle of the monitor process."""

    def __init__(self, job: Job) -> None:
        super().__init__(job, PowerProcess(job.path(LOG), command_environment(job.base)).run)


class PowerProcess:
    """The monitor process itself."""

    def __init__(self, path: str, environment: Dict[str, str]) -> None:
        self.path = path
        self.environment = environment
        self.refusal = ""
        self.failures = 0

    def run(self, life_reader: int) -> None:
        """Write a line every few seconds until the supervisor has gone."""
        packages = PackageEnergy()
        due = time.monotonic()
        while True:
            # RAPL first: it is exact at this moment, the BMC answers later.
            monotonic, energy = time.monotonic(), packages.read()
            self.write(monotonic, energy, self.watts())
            due = max(due + INTERVAL_SECONDS, time.monotonic())
            if ended_within(life_reader, due - time.monotonic()):
                self.write(time.monotonic(), packages.read(), None)
                return

    def watts(self) -> Optional[int]:
        """Return the BMC's reading, None once it has refused."""
        if self.refusal and (self.refusal != FAILED or self.failures >= MAX_FAILURES):
            return None
        watts, self.refusal = host_power(self.environment)
        self.failures = self.failures + 1 if self.refusal == FAILED else 0
        return watts

    def write(self, monotonic: float, energy: Dict[str, int], watts: Optional[int]) -> None:
        """Append a line; ignored if the file system is full."""
        entry = {"monotonic": monotonic, "rapl": energy, "dcmi": watts, "refusal": self.refusal}
        try:
            with open(self.path, "a") as file:
                file.write(json.dumps(entry, sort_keys=True) + "\n")
        except OSError:
            pass

"""What runs beside the tool: monitors that read, and the process that disturbs."""

import contextlib
from typing import Callable, List, Optional

from ..ceph.health_monitor import HealthMonitor
from ..disturbance.lines import require_undisturbed_now
from ..disturbance.process import Disturber
from ..processes.companion import Companion
from ..processes.job_folder import Job
from ..schema import JournalSetting, Spec
from .power_monitor import PowerMonitor


class Companions:
    """The processes beside the commands of one job."""

    def __init__(self, job: Job, spec: Spec) -> None:
        self.job = job
        self.spec = spec
        self.monitors: List[Companion] = []
        self.disturber: Optional[Disturber] = None

    def start(self, lines: List[JournalSetting], sleep: Callable[[float], None]) -> None:
        """Start what reads during the test; prepare the disturbance if it is safe now.

        `lines`: of the journal, what the disturbance changes. Raises: RefusalError.
        """
        if self.spec["ceph"]:
            self.monitors.append(HealthMonitor(self.job))
        if self.spec["power"]:
            self.monitors.append(PowerMonitor(self.job))
        if self.spec["disturbance"]:
            require_undisturbed_now(self.spec["disturbance"], lines, sleep)
            self.disturber = Disturber(self.job, self.spec["disturbance"], lines)

    def begin(self, command: int, monotonic: float) -> None:
        """Start the timeline of the disturbance if it belongs to this command."""
        if self.disturber and self.disturber.command == command:
            self.disturber.begin(monotonic)

    def end(self) -> None:
        """Stop monitors and disturber, so that nothing writes or acts after the last file."""
        monitors, self.monitors = self.monitors, []
        disturber, self.disturber = self.disturber, None
        for monitor in monitors:
            with contextlib.suppress(OSError):  # settings are restored in any case
                monitor.end()
        with contextlib.suppress(OSError):
            if disturber:
                disturber.end()

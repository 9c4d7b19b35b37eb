"""A process beside a job that watches something and ends with its supervisor.

It belongs to init, and holds neither the job's lock nor its claims.
"""

import os
import select
import signal
from typing import Callable, Optional

from .job_folder import Job
from .start import daemonize

STOP_SECONDS = 1.0  # until it is killed


class Companion:
    """The supervisor's handle. `pid` is None if the process did not start."""

    def __init__(self, job: Job, body: Callable[[int], None]) -> None:
        pid_reader, pid_writer = os.pipe()
        life_reader, self.life_writer = os.pipe()

        def run() -> None:
            os.write(pid_writer, str(os.getpid()).encode())
            body(life_reader)

        daemonize(run, [life_reader, pid_writer], job.path("agent.log"))
        os.close(life_reader)
        os.close(pid_writer)
        self.pid_reader = pid_reader
        pid_text = os.read(pid_reader, 32)
        self.pid: Optional[int] = int(pid_text) if pid_text else None

    def end(self) -> None:
        """End the process; afterwards nothing writes its log."""
        os.close(self.life_writer)
        ended = select.select([self.pid_reader], [], [], STOP_SECONDS)[0]
        if not ended and self.pid:
            # It still holds its end of the pipe, so the number is still its own.
            os.killpg(self.pid, signal.SIGKILL)
            select.select([self.pid_reader], [], [], STOP_SECONDS)
        os.close(self.pid_reader)


def ended_within(life_reader: int, seconds: float) -> bool:
    """Wait; return True as soon as the supervisor has gone."""
    return bool(select.select([life_reader], [], [], max(0.0, seconds))[0])

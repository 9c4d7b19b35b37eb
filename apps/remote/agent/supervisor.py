"""One job from preflight to its exit file, in a process that belongs to nobody."""

import os
import signal
import traceback
from typing import List

from .errors import Refused
from .files import JSON
from .job import Job
from .processes import adopt_orphans
from .runner import SIGNALS, Runner
from .sampler import Sampler


def supervise(job: Job, spec: JSON, lock: int) -> None:
    """The supervisor's whole life. The lock is inherited by everything that is started from here on."""
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    os.set_inheritable(lock, True)
    with open(job.path("supervisor"), "w") as file:
        file.write(str(os.getpid()))
    try:
        Supervisor(job, spec).run()
    except Refused as refusal:
        job.write("refused.json", {"reasons": refusal.reasons})
    job.set_phase("done")


class Supervisor:
    """The steps; each can refuse or be cancelled before the tool starts."""

    def __init__(self, job: Job, spec: JSON) -> None:
        self.job = job
        self.spec = spec

    def run(self) -> None:
        """Run the commands and write exit.json, whatever happens on the way."""
        sampler = Sampler(self.job.path("device.log"), [])
        runner = Runner(self.job, self.spec, sampler, adopt_orphans())
        commands = self.commands()
        self.job.write("argv.json", commands, durable=False)
        self.job.set_phase("running")
        try:
            runner.run(commands)
        except Exception:
            runner.result["error"] = traceback.format_exc()
        self.finish(runner.result)

    def commands(self) -> List[List[str]]:
        """The exact arguments."""
        return [list(item["argv"]) for item in self.spec["commands"]]

    def finish(self, result: JSON) -> None:
        """Give the reserve back, so that a full file system can hold exit.json; then write it."""
        os.unlink(self.job.path("reserve"))
        self.job.write("exit.json", result)

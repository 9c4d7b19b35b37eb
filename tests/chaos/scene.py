"""What faults happen to: benchlab with web, worker and beat, a host in a box, a loop disk."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from tests.chaos.servers import Servers
from tests.chaos.starts import Starts
from tests.chaos.storage import Storage
from tests.e2e.lab import add_box, enrol, tuning
from tests.e2e.stack import JSON, Process, Stack, kill
from tests.e2e.template import template
from tests.harness.loops import loop_disk
from tests.harness.netns_host import NetnsHost

AGENT_MIB, HOME_MIB = 96, 128
"""Sizes of the file systems of the agent's folder and of BENCHLAB_HOME."""
SETTINGS = ("scheduler", "max_sectors_kb", "rq_affinity", "nr_requests", "read_ahead_kb")


@dataclass
class Scene:
    """`processes`: "web", "worker" and "beat" by name. `disk` and `run` are rows of the API,
    `tunings` ids; `agents` and `home` the file systems of the agent's folder and of BENCHLAB_HOME;
    `at_boot` the disk's queue settings before anybody touched them.
    """

    servers: Servers
    stack: Stack
    box: NetnsHost
    node: str
    starts: Starts
    agents: Storage
    home: Storage
    disk: JSON = field(default_factory=dict)
    tunings: list[int] = field(default_factory=list)
    run: JSON = field(default_factory=dict)
    processes: dict[str, Process] = field(default_factory=dict)
    at_boot: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.at_boot = self.settings()

    def start(self, *names: str) -> None:
        """Start those of web, worker, beat that do not run."""
        makers = {
            "web": self.stack.start_web,
            "worker": self.stack.start_worker,
            "beat": self.stack.start_beat,
        }
        for name in names or makers:
            if name not in self.processes or self.processes[name].poll() is not None:
                self.processes[name] = makers[name]()

    def kill(self, *names: str) -> None:
        """kill -9 of web, worker, beat, postgres or valkey."""
        for name in names:
            if name in self.processes:
                kill(self.processes[name])
            else:
                self.servers.kill(name)

    def freeze(self, name: str, frozen: bool) -> None:
        """Stop a process for a while, or let it go on."""
        with contextlib.suppress(ProcessLookupError):
            number = signal.SIGSTOP if frozen else signal.SIGCONT
            os.killpg(self.processes[name].pid, number)

    def sql(self, statement: str) -> list[str]:
        """The first column of a statement's rows in benchlab's database."""
        database = urlsplit(self.stack.environment["DATABASE_URL"]).path.lstrip("/")
        return self.servers.query(statement, database)

    def switch_on(self) -> None:
        """Start the box, with the wrapper in fio's place."""
        self.box.start()
        self.starts.install()

    @property
    def queue(self) -> Path:
        """Where the kernel shows the disk's queue settings."""
        return Path("/sys/block") / Path(self.node).name / "queue"

    def settings(self) -> dict[str, str]:
        """The disk's queue settings as the kernel says them."""
        return {name: _chosen((self.queue / name).read_text()) for name in SETTINGS}

    def job_folders(self) -> list[Path]:
        """Folders of jobs that the host has not forgotten."""
        jobs = self.box.base / "jobs"
        return sorted(jobs.iterdir()) if jobs.is_dir() else []


def _chosen(text: str) -> str:
    """Of several values the one in brackets."""
    return text.partition("[")[2].partition("]")[0] or text.strip()


@contextmanager
def scene(folder: Path) -> Iterator[Scene]:
    """Everything started, the host enrolled; all of it gone at the end."""
    with ExitStack() as ending:
        servers = Servers(folder / "servers").start()
        ending.callback(servers.stop)
        box = NetnsHost(folder / "box")
        agents = Storage(box.base, folder / "agent.img", AGENT_MIB)
        ending.callback(agents.remove)
        home = Storage(folder / "benchlab", folder / "home.img", HOME_MIB)
        ending.callback(home.remove)
        ending.callback(box.stop)
        node = ending.enter_context(loop_disk(64, folder))
        starts = Starts(box)
        source = template(folder / "template")
        stack = ending.enter_context(Stack(folder / "benchlab", source))
        made = Scene(servers, stack, box, node, starts, agents, home)
        made.processes["web"] = stack.web
        # A sequence of a database copied from a template is first written down at a checkpoint:
        # until then a killed server forgets what it has handed out.
        servers.query("checkpoint", "postgres")
        made.switch_on()
        made.start()
        made.disk = enrol(stack, add_box(stack, box)["id"], node)
        made.tunings = [tuning(stack, "none"), tuning(stack, "mq-deadline")]
        yield made

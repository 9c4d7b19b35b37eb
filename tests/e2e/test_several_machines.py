"""Two web servers and two workers on machines of their own; one of each is cut off and killed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, cast

import pytest

from tests.chaos.check import checked
from tests.chaos.fault import Fault
from tests.chaos.scene import Scene
from tests.chaos.starts import Starts
from tests.e2e.lab import READ, add_box, cases, ended, enrol, launch, plan, running, tuning, until
from tests.e2e.machines import PASSWORD, Cluster, Machine, answers, cluster
from tests.e2e.stack import JSON, Stack
from tests.e2e.template import Template
from tests.harness.fixtures import no_box
from tests.harness.loops import loop_disk

pytestmark = [pytest.mark.extended, pytest.mark.needs_root, pytest.mark.timeout(900)]

# The cut leaves it open: the server must not wait for it.
OPEN_TRANSACTION = """
import time
import django
django.setup()
from django.db import transaction
from apps.runs.models import Run
with transaction.atomic():
    Run.objects.select_for_update().get(pk={run})
    print("locked", flush=True)
    time.sleep(900)
"""
LEASES = "SELECT count(*) FROM runs_run WHERE lease_until IS NOT NULL"
CLAIMS = "SELECT count(*) FROM runs_claim WHERE released_at IS NULL"
LEFT_OPEN = """SELECT count(*) FROM pg_stat_activity
    WHERE state LIKE 'idle in transaction%' AND state_change < now() - interval '40 s'"""


class Balancer(Stack):
    """The API behind the web server that a load balancer chose."""

    cluster: Cluster
    machine: Machine

    @property
    def address(self) -> str:
        return f"http://{self.machine.network.address}:8000"

    def use(self, name: str) -> None:
        self.machine = self.cluster.machines[name]
        until(lambda: answers(self.address), bool, 90, f"{name}: {self.machine.log('web')}")

    def manage(self, *words: str) -> str:
        code, output = self.machine.call("web", ["python", "manage.py", *words])
        assert code == 0, output
        return output

    def log(self, name: str) -> str:
        return "\n".join(each.log(name) for each in self.cluster.machines.values())


@pytest.fixture
def stack(tmp_path: Path) -> Iterator[Balancer]:
    """Web servers, workers and beat of several machines."""
    if reason := no_box():
        pytest.skip(reason)
    with cluster(tmp_path) as several:
        for name, machine in several.machines.items():
            machine.start("web" if name.startswith("web") else "worker")
        several.machines["web2"].start("beat")
        token = ["python", "manage.py", "create_token", "admin", "several machines", "--may-wipe"]
        code, output = several.machines["web2"].call("web", token)
        assert code == 0, output
        balancer = Balancer(tmp_path, Template("", "", output.split()[-1]))
        balancer.cluster = several
        balancer.use("web2")
        balancer.use("web1")
        yield balancer


@pytest.fixture
def figures_are_checked() -> None:
    """The scene's check compares the figures: this database has no address on this side."""


def worker_of(stack: Balancer, run: JSON) -> str:
    """The machine whose worker drives the run, "" without one."""
    statement = f"SELECT worker FROM runs_run WHERE id = {run['id']} AND lease_until > now()"
    return next(iter(stack.cluster.sql(statement)), "").partition(":")[0]


def healthy(machine: Machine, service: str) -> bool:
    return machine.call(service, machine.compose.health(service))[0] == 0


def test_one_of_each_is_cut_off_and_killed(stack: Balancer, tmp_path: Path) -> None:
    several, machines = stack.cluster, stack.cluster.machines
    for name, service in (("web1", "web"), ("worker1", "worker"), ("web2", "beat")):
        until(lambda m=machines[name], s=service: healthy(m, s), bool, 60, service)  # type: ignore[misc] # bound now
    several.box.base.mkdir(mode=0o700, exist_ok=True)
    with ExitStack() as ending:
        node = ending.enter_context(loop_disk(64, tmp_path))
        starts = Starts(several.box)
        starts.install()
        disk = enrol(stack, add_box(stack, several.box)["id"], node)
        scene = Scene(cast(Any, several), stack, several.box, node, starts, *cast(Any, [None] * 2))
        tunings = [tuning(stack, "none"), tuning(stack, "mq-deadline")]
        step = READ | {"runtime": 3}
        first = launch(stack, plan(stack, disk, step, tunings=tunings, repeats=5))
        running(stack, first)

        one = machines[until(lambda: worker_of(stack, first), bool, 30, "a worker")]
        other = machines[{"worker1": "worker2", "worker2": "worker1"}[one.name]]
        one.hold(OPEN_TRANSACTION.format(run=first["id"]))
        until(lambda: one.log("hold"), lambda log: "locked" in log, 30, "a transaction")
        one.cut()
        machines["web1"].cut()
        assert not answers(stack.address)
        stack.use("web2")
        second = launch(stack, plan(stack, disk, step, repeats=2))
        until(lambda: worker_of(stack, first), lambda name: name == other.name, 90, "taken over")

        one.heal()  # its lease is over: whatever it still wants to write is refused
        running(stack, first)
        machines["web1"].kill()
        other.kill()
        until(lambda: worker_of(stack, first), lambda name: name == one.name, 60, "taken back")
        for run, count in ((first, 10), (second, 2)):
            scene.run = ended(stack, run, 300)
            assert checked(scene, Fault("several machines", lambda _scene: None)) == []
            assert_measured_once(stack, run, count)
    assert several.sql(LEASES) == several.sql(CLAIMS) == several.sql(LEFT_OPEN) == ["0"]
    assert several.sql("SELECT DISTINCT store FROM blobs_blob") == ["s3"]
    assert PASSWORD not in stack.log("web") + stack.log("worker")


def assert_measured_once(stack: Balancer, run: JSON, count: int) -> None:
    """Each case has one attempt that counts, with one row for the operation."""
    rows = cases(stack, run)
    assert len(rows) == count
    for case in rows:
        assert [attempt["state"] for attempt in case["attempts"]] == ["succeeded"]
        assert len(stack.rows(f"measurements/?case={case['id']}")) == 1

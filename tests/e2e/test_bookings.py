"""Three users share three hosts behind real sshd: bookings, a pause between blocks, priorities."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.lab import READ, add_box, assert_state, cases, ended, enrol, running, until
from tests.e2e.stack import JSON, ApiError, Stack
from tests.harness.fixtures import no_box
from tests.harness.loops import loop_disk
from tests.harness.netns_host import NetnsHost

pytestmark = [pytest.mark.e2e, pytest.mark.needs_root]

USERS = ("anna", "boris", "chen")
CREATE = """
from apps.accounts.models import Role, User
for name in {names}:
    User.objects.create(username=name, role=Role.OPERATOR)
"""


@dataclass(frozen=True)
class Lab:
    """Three hosts with a disk each, and the tokens of three operators."""

    stack: Stack
    disks: list[JSON]
    tokens: dict[str, str]

    def post(self, user: str, path: str, body: JSON | None = None) -> Any:
        return self.stack.post(path, body, Authorization=f"Token {self.tokens[user]}")

    def launch(self, user: str, disk: JSON, repeats: int) -> JSON:
        body = {
            "name": f"{user} on {disk['id']} {datetime.now(UTC)}",
            "repeats": repeats,
            "steps": [{"tool": "fio", "params": READ}],
            "targets": [f"disk:{disk['id']}"],
        }
        plan = self.post(user, "plans/", body)
        run: JSON = self.post(user, "runs/", {"plan": plan["id"]})
        return run

    def book(self, user: str, disk: JSON, start: float, end: float) -> JSON:
        """Book the disk's host from `start` to `end`, in minutes from now."""
        now = datetime.now(UTC)
        begin, close = (now + timedelta(minutes=one) for one in (start, end))
        body = {
            "hosts": [disk["host"]],
            "starts_at": begin.isoformat(),
            "ends_at": close.isoformat(),
            "reason": "kernel test",
        }
        booking: JSON = self.post(user, "bookings/", body)
        return booking

    def begin_bookings(self) -> None:
        """Do what beat does every half minute."""
        self.stack.manage("shell", "-c", "from apps.runs.tasks import bookings; bookings()")

    def run(self, run: JSON) -> JSON:
        found: JSON = self.stack.get(f"runs/{run['id']}/")
        return found


@pytest.fixture(scope="module")
def lab(stack: Stack, folder: Path) -> Iterator[Lab]:
    if reason := no_box():
        pytest.skip(reason)
    stack.manage("shell", "-c", CREATE.format(names=USERS))
    tokens = {name: stack.manage("create_token", name, "e2e").split()[-1] for name in USERS}
    with ExitStack() as ending:
        disks = []
        with stack.worker():
            for name in ("one", "two", "three"):
                box = NetnsHost(folder / f"booked-{name}")
                ending.callback(box.stop)
                box.start()
                node = ending.enter_context(loop_disk(64, folder))
                disks.append(enrol(stack, add_box(stack, box, f"booked-{name}")["id"], node))
        yield Lab(stack, disks, tokens)


def test_running_run_pauses_for_a_booking_whose_owner_starts_then(lab: Lab) -> None:
    first, second, third = lab.disks
    with lab.stack.worker():
        paused = lab.launch("anna", first, 3)
        others = [lab.launch("chen", disk, 1) for disk in (second, third)]
        running(lab.stack, paused)
        booking = lab.book("boris", first, 0, 30)
        with pytest.raises(ApiError, match="boris has booked "):
            lab.book("chen", first, 10, 20)
        state = until(lambda: lab.run(paused), lambda r: r["state"] == "queued", 60, "paused")
        assert "is paused after 1 of 3 cases" in state["reason"]
        assert state["forecast"]["booking"] == booking["id"]
        assert [case["state"] for case in cases(lab.stack, paused)] == [
            *("succeeded", "pending", "pending")
        ]
        waiting = lab.launch("chen", first, 1)
        own = ended(lab.stack, lab.launch("boris", first, 1))
        assert_state(lab.stack, own, "succeeded")
        for run in others:
            assert_state(lab.stack, ended(lab.stack, run), "succeeded")
        assert {lab.run(run)["state"] for run in (paused, waiting)} == {"queued"}
        lab.post("boris", f"bookings/{booking['id']}/end/")
        for run in (paused, waiting):
            assert_state(lab.stack, ended(lab.stack, run), "succeeded")
    attempts = [len(case["attempts"]) for case in cases(lab.stack, paused)]
    assert attempts == [1, 1, 1]
    assert lab.run(paused)["finished_at"] < lab.run(waiting)["started_at"]


def test_lower_priority_lets_a_younger_run_start_first(lab: Lab) -> None:
    disk = lab.disks[0]
    older, younger = lab.launch("anna", disk, 1), lab.launch("chen", disk, 1)
    lab.post("anna", f"runs/{older['id']}/priority/", {"priority": "low"})
    with pytest.raises(ApiError, match="403"):
        lab.post("anna", f"runs/{younger['id']}/priority/", {"priority": "low"})
    order = [row["run"] for row in lab.stack.get("queue/")["runs"]]
    assert order == [younger["id"], older["id"]]
    with lab.stack.worker():
        for run in (older, younger):
            assert_state(lab.stack, ended(lab.stack, run), "succeeded")
    assert lab.run(younger)["finished_at"] < lab.run(older)["started_at"]


def test_requested_booking_begins_after_the_older_run_and_before_the_younger_one(
    lab: Lab,
) -> None:
    disk = lab.disks[1]
    first = lab.launch("anna", disk, 1)
    body = {"hosts": [disk["host"]], "hours": 1, "reason": "kernel test"}
    request = lab.post("boris", "booking-requests/", body)
    waiting = lab.launch("chen", disk, 1)
    lab.begin_bookings()
    (queued,) = lab.stack.get("queue/")["requests"]
    assert queued["request"] == request["id"]
    assert queued["blocker"] == f"waits its turn behind run {first['id']}"
    assert queued["forecast"]["after_run"] == first["id"]
    assert lab.run(waiting)["forecast"]["after_request"] == request["id"]
    with lab.stack.worker():
        assert_state(lab.stack, ended(lab.stack, first), "succeeded")
        behind = "requested booking of boris"
        until(lambda: lab.run(waiting), lambda run: behind in run["reason"], 60, "behind it")
        lab.begin_bookings()
        (booking,) = lab.stack.get(f"bookings/?host={disk['host']}")["results"]
        assert (booking["owner"], booking["was_requested"]) == ("boris", True)
        own = ended(lab.stack, lab.launch("boris", disk, 1))
        assert_state(lab.stack, own, "succeeded")
        assert lab.run(waiting)["state"] == "queued"
        lab.post("boris", f"bookings/{booking['id']}/end/")
        assert_state(lab.stack, ended(lab.stack, waiting), "succeeded")

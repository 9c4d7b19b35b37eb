"""One round: a short run, a fault at a random moment, and what became of both."""

from __future__ import annotations

import contextlib
import time
import urllib.error
from dataclasses import dataclass
from random import Random

from tests.chaos.check import checked
from tests.chaos.fault import Fault
from tests.chaos.finding import Finding
from tests.chaos.scene import Scene
from tests.e2e.lab import FINAL, READ, WRITE, launch, plan
from tests.e2e.stack import ApiError

CONTROL_SECONDS = 120.0
LATEST = 7.0
"""Seconds after the launch until which a fault may strike: about as long as an undisturbed run."""


@dataclass(frozen=True)
class Round:
    """`control`: seconds from the mending until benchlab acted on the run again, None if it never
    did; `moment` and `lasted`: seconds after the launch at which the fault struck, and its length.
    """

    fault: Fault
    moment: float
    lasted: float
    control: float | None
    findings: tuple[Finding, ...]


def played(scene: Scene, fault: Fault, random: Random) -> Round:
    """Play one round."""
    writes = random.random() < 0.5
    moment = random.uniform(0.0, LATEST)
    lasted = random.uniform(fault.shortest, fault.longest)
    step = (WRITE if writes else READ) | {"runtime": random.choice((1, 2, 3))}
    scene.run = launch(
        scene.stack, plan(scene.stack, scene.disk, step, tunings=scene.tunings, repeats=1)
    )
    time.sleep(moment)
    fault.strike(scene)
    time.sleep(lasted)
    fault.mend(scene)
    control = _control(scene)
    return Round(fault, moment, lasted, control, tuple(checked(scene, fault)))


def _control(scene: Scene) -> float | None:
    """Seconds until an attempt of the run had contact after now, or the run has ended."""
    began, mended = time.monotonic(), _now(scene)
    run = scene.run["id"]
    while (elapsed := time.monotonic() - began) < CONTROL_SECONDS:
        with contextlib.suppress(ApiError, urllib.error.URLError, OSError):
            if scene.stack.get(f"runs/{run}/")["state"] in FINAL:
                return elapsed
            if scene.sql(_CONTACT.format(run=int(run), since=mended)) == ["t"]:
                return elapsed
        time.sleep(0.1)
    return None


_CONTACT = (
    "select coalesce(max(a.contact_at) > '{since}'::timestamptz, false) from runs_attempt a"
    " join runs_case c on c.id = a.case_id where c.run_id = {run}"
)


def _now(scene: Scene) -> str:
    return scene.sql("select clock_timestamp()")[0]

"""Rounds one after another on one scene, each with a fault that the seed chose."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random

from tests.chaos.check import checked, left_at_last
from tests.chaos.fault import Fault, nothing
from tests.chaos.finding import Finding
from tests.chaos.report import line_of
from tests.chaos.round import Round, played
from tests.chaos.scene import Scene, scene
from tests.e2e.lab import READ, launch, plan
from tests.e2e.stack import ApiError


def chosen(faults: Sequence[Fault], count: int, random: Random) -> list[Fault]:
    """So many faults: every one comes before any comes again, in random order."""
    found: list[Fault] = []
    while len(found) < count:
        found += random.sample(list(faults), len(faults))
    return found[:count]


def rounds(stage: Scene, faults: Sequence[Fault], random: Random) -> Iterator[Round]:
    """Play these faults, each in a round."""
    for number, fault in enumerate(faults, 1):
        try:
            each = played(stage, fault, random)
        except ApiError:
            print(stage.stack.log("web"))
            raise
        print(line_of(number, each), flush=True)
        stage.starts.forget()
        yield each
        if any(finding.kind == "stuck" for finding in each.findings):
            return  # the disk belongs to that run: nothing after it could start


def last(stage: Scene) -> list[Finding]:
    """One more run without a fault: it must succeed, and takes along what earlier ones left."""
    stage.run = launch(stage.stack, plan(stage.stack, stage.disk, READ, repeats=1))
    return [*checked(stage, Fault("none", nothing)), *left_at_last(stage)]


@contextmanager
def stage() -> Iterator[Scene]:
    """A scene in a temporary folder."""
    with (
        tempfile.TemporaryDirectory(prefix="benchlab-chaos-") as folder,
        scene(Path(folder)) as made,
    ):
        yield made

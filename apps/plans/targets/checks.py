"""What a target's hosts say about a plan: sentences, from plain data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from apps.plans.cases.data import PlanData, PlannedTuning, Problem
from apps.plans.targets.plain import PlannedHost, PlannedMember, PlannedTarget
from apps.tuning.contract import QUEUE


def host_problems(target: PlannedTarget, tunings: Sequence[PlannedTuning]) -> Iterator[Problem]:
    """What keeps a target's hosts from being used."""
    for host in target.hosts:
        if not host.enabled:
            text = f"The host {host.name} is switched off in benchlab."
            yield Problem(text, field="targets", saving=False)
        if not host.root:
            yield from _root_problems(target, host, tunings)
    if target.kind == "pair":
        yield from _pair_problems(target)


def _root_problems(
    target: PlannedTarget, host: PlannedHost, tunings: Sequence[PlannedTuning]
) -> Iterator[Problem]:
    for part in target.parts_on(host):
        if part.kind == "disk":
            text = f"{part.label}: a disk needs root, and benchlab has no root on {host.name}."
            yield Problem(text, field="targets")
    if any(tuning.settings for tuning in tunings):
        text = f"Tuning needs root, and benchlab has no root on {host.name}."
        yield Problem(text, field="tunings")


def _pair_problems(target: PlannedTarget) -> Iterator[Problem]:
    client, server = target.members
    if not target.identity:
        text = (
            f"{target.label}: {server.host.name} has no address that other hosts reach. "
            "Enter one on its page."
        )
        yield Problem(text, field="targets", saving=False)
    if client.host.machine and client.host.machine == server.host.machine:
        text = (
            f"{target.label}: both are entries of the same machine, "
            "so nothing would pass through the network."
        )
        yield Problem(text, field="targets", saving=False)


def unchecked_warnings(target: PlannedTarget) -> Iterator[Problem]:
    for host in target.hosts:
        if host.tools is None:
            text = f"{host.name} has not been checked yet: benchlab does not know what it has."
            yield Problem(text, field="targets", saving=False)


def tuning_warnings(plan: PlanData, target: PlannedTarget) -> Iterator[Problem]:
    """What a tuning cannot change on this target."""
    for tuning in plan.tunings:
        on_queues = any(setting.kind == QUEUE for setting in tuning.settings)
        if on_queues and target.uses not in ("disk", None):
            text = (
                f"{tuning.name} changes the queue of a disk; {target.label} is none, "
                "so these settings change nothing there."
            )
            yield Problem(text, field="tunings", saving=False)
        for part in target.parts:
            yield from _scheduler_warnings(tuning, part)


def _scheduler_warnings(tuning: PlannedTuning, part: PlannedMember) -> Iterator[Problem]:
    for setting in tuning.settings if part.schedulers else ():
        if setting.name == "scheduler" and setting.value not in part.schedulers:
            offered = ", ".join(part.schedulers)
            text = f"{tuning.name}: {part.label} offers {offered}, not {setting.value}."
            yield Problem(text, field="tunings", saving=False)

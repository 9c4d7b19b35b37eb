"""Warnings about limits of hosts' owners at the last check; the agent decides at the start."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from fnmatch import fnmatchcase

from django.utils.translation import gettext as _

from apps.common.domain.value_format import format_value
from apps.plans.schemas.planned import PlannedCase, PlannedPlan, Problem
from apps.plans.schemas.targets import PlannedHost, PlannedTarget


def owner_warnings(plan: PlannedPlan, cases: Sequence[PlannedCase]) -> Iterator[Problem]:
    """Yield what the owners of the hosts do not allow, once for each host."""
    loaded = [target for target in plan.background_targets.values() if target is not None]
    hosts = {host.id: host for target in (*plan.targets, *loaded) for host in target.hosts}
    for host in hosts.values():
        if text := _refusal(host):
            yield Problem(text, field="targets", saving=False)
            continue
        mine = [case for case in cases if host.id in _hosts_of(case)]
        yield from _tool_warnings(host, cases)
        yield from _disk_warnings(host, (*plan.targets, *loaded))
        yield from _setting_warnings(host, plan)
        yield from _time_warnings(host, mine)
        yield from _bytes_warnings(host, mine)


def _hosts_of(case: PlannedCase) -> list[int]:
    loaded = case.background.target if case.background else None
    return [host.id for one in (case.target, loaded) if one for host in one.hosts]


def _refusal(host: PlannedHost) -> str:
    """Return why the host refuses every test, or ""."""
    if host.owner_limits.is_stopped:
        text = _("The owner of %(host)s stops all tests there. %(note)s")
        note = host.owner_limits.limits.note
        return (text % {"host": host.name, "note": note}).strip()
    if host.owner_limits.error:
        text = _("%(host)s refuses all tests: %(why)s")
        return text % {"host": host.name, "why": host.owner_limits.error}
    return ""


def _tool_warnings(host: PlannedHost, cases: Sequence[PlannedCase]) -> Iterator[Problem]:
    allowed = host.owner_limits.limits.tools
    if allowed is None:
        return
    programs = {name for case in cases for name in case.programs.get(host.id, ())}
    for name in sorted(programs):
        if not any(fnmatchcase(name, pattern) for pattern in allowed):
            text = _("The owner of %(host)s does not allow %(name)s there.")
            text %= {"host": host.name, "name": name}
            yield Problem(text, field="targets", saving=False)


def _disk_warnings(host: PlannedHost, targets: Sequence[PlannedTarget]) -> Iterator[Problem]:
    allowed = host.owner_limits.allowed_disks
    if allowed is None:
        return
    parts = [part for target in targets for part in target.parts if part.host.id == host.id]
    refused = [one.label for one in parts if one.kind == "disk" and one.identity not in allowed]
    for label in dict.fromkeys(refused):
        text = _("The owner of %(host)s does not allow %(name)s there.")
        text %= {"host": host.name, "name": label}
        yield Problem(text, field="targets", saving=False)


def _time_warnings(host: PlannedHost, cases: Sequence[PlannedCase]) -> Iterator[Problem]:
    limits = host.owner_limits.limits
    open_ = _open_seconds(limits.hours) if limits.hours else None
    limit = min((one for one in (limits.seconds, open_) if one is not None), default=None)
    longest = max((case.seconds for case in cases), default=0.0)
    if limit is not None and longest > limit:
        text = _("The owner of %(host)s ends a test after %(limit)s; the longest takes %(time)s.")
        limit_text, time_text = format_value(limit, "s"), format_value(longest, "s")
        text %= {"host": host.name, "limit": limit_text, "time": time_text}
        yield Problem(text, field="steps", saving=False)


def _open_seconds(hours: Mapping[str, str]) -> float | None:
    """Return how long the host is open a day; None for hours that the agent would refuse."""
    try:
        begin, end = (datetime.strptime(hours.get(one, ""), "%H:%M") for one in ("from", "to"))
    except ValueError:
        return None
    return float((end - begin).seconds)


def _bytes_warnings(host: PlannedHost, cases: Sequence[PlannedCase]) -> Iterator[Problem]:
    """Warn of a test that writes more than the owner allows a day, by its share of each host."""
    limit = host.owner_limits.limits.bytes_a_day
    largest = max(
        ((case.bytes_written or 0) // len(case.target.hosts) for case in cases), default=0
    )
    if limit is not None and largest > limit:
        text = _("The owner of %(host)s allows %(limit)s written a day; a test writes %(size)s.")
        limit_text, size = format_value(limit, "bytes"), format_value(largest, "bytes")
        text %= {"host": host.name, "limit": limit_text, "size": size}
        yield Problem(text, field="steps", saving=False)


def _setting_warnings(host: PlannedHost, plan: PlannedPlan) -> Iterator[Problem]:
    allowed = host.owner_limits.limits.settings
    if allowed is None:
        return
    settings = {f"{one.kind}/{one.name}" for tuning in plan.tunings for one in tuning.settings}
    settings |= {f"disturbance/{plan.spec.disturbance.kind}"} if plan.spec.disturbance else set()
    for name in sorted(settings):
        if not any(fnmatchcase(name, pattern) for pattern in allowed):
            text = _("The owner of %(host)s does not allow %(name)s there.")
            text %= {"host": host.name, "name": name}
            yield Problem(text, field="tunings", saving=False)

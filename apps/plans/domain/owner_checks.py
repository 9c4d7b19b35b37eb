"""Warnings about limits of hosts' owners at the last check; the agent decides at the start."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

from django.utils.translation import gettext as _

from apps.plans.schemas.planned import PlannedCase, PlannedPlan, Problem
from apps.plans.schemas.targets import PlannedHost


def owner_warnings(plan: PlannedPlan, cases: Sequence[PlannedCase]) -> Iterator[Problem]:
    """Yield what the owners of the hosts do not allow, once for each host."""
    loaded = [target for target in plan.background_targets.values() if target is not None]
    hosts = {host.id: host for target in (*plan.targets, *loaded) for host in target.hosts}
    for host in hosts.values():
        if text := _refusal(host):
            yield Problem(text, field="targets", saving=False)
            continue
        yield from _tool_warnings(host, cases)
        yield from _setting_warnings(host, plan)


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

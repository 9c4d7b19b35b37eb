"""Problems of a target's hosts with a plan, from plain data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from apps.plans.schemas.plan import FAIL
from apps.plans.schemas.planned import PlannedPlan, PlannedTuning, Problem
from apps.plans.schemas.targets import PlannedHost, PlannedMember, PlannedTarget
from apps.tuning.domain.applicability import TuningScope, inapplicable_settings
from apps.tuning.domain.cluster_options import (
    DAEMON_LABELS,
    is_foreign,
    is_misplaced,
    unknown_options,
)
from apps.tuning.domain.settings import describe
from apps.tuning.schemas.settings import CEPH_CONF, OSD_SECTION


def host_problems(target: PlannedTarget, tunings: Sequence[PlannedTuning]) -> Iterator[Problem]:
    """Yield problems of hosts that cannot be used."""
    for host in target.hosts:
        if not host.enabled:
            text = _("The host %(host)s is switched off in benchlab.") % {"host": host.name}
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
            text = _("%(disk)s: a disk needs root, and benchlab has no root on %(host)s.") % {
                "disk": part.label,
                "host": host.name,
            }
            yield Problem(text, field="targets")
    if any(tuning.settings for tuning in tunings):
        text = _("Tuning needs root, and benchlab has no root on %(host)s.") % {"host": host.name}
        yield Problem(text, field="tunings")


def _pair_problems(target: PlannedTarget) -> Iterator[Problem]:
    client, server = target.members
    if not target.identity:
        text = _(
            "%(pair)s: %(host)s has no address that other hosts reach. Enter one on its page."
        ) % {"pair": target.label, "host": server.host.name}
        yield Problem(text, field="targets", saving=False)
    if client.host.machine and client.host.machine == server.host.machine:
        text = _(
            "%(pair)s: both are entries of the same machine, "
            "so nothing would pass through the network."
        ) % {"pair": target.label}
        yield Problem(text, field="targets", saving=False)


def unchecked_warnings(target: PlannedTarget) -> Iterator[Problem]:
    for host in target.hosts:
        if host.tools is None:
            text = _("%(host)s has not been checked yet: its programs and disks are unknown.") % {
                "host": host.name
            }
            yield Problem(text, field="targets", saving=False)


def reach_problems(plan: PlannedPlan, target: PlannedTarget) -> Iterator[Problem]:
    """Yield problems of tuning profiles that cannot apply to this target."""
    for tuning in plan.tunings:
        yield from _too_late(tuning, target)
        yield from _of_other_daemons(tuning, target)
        yield from _unknown_options(tuning, target)
    if plan.spec.on_tuning_unavailable == FAIL:
        for tuning, settings in _unreached(plan, target):
            if results := [*_away(tuning, target), *_restart_forbidden(tuning, target)]:
                yield from results
                continue
            text = _(
                "%(tuning)s cannot be in force on %(target)s: %(settings)s reaches nothing of it. "
                "Choose another tuning or target, or run such tests untuned."
            ) % {"tuning": tuning.name, "target": target.label, "settings": settings}
            yield Problem(text, field="tunings", saving=False)


def _away(tuning: PlannedTuning, target: PlannedTarget) -> Iterator[Problem]:
    """Yield a problem for unreachable hosts of daemons that the profile applies to."""
    away = [name for kind in tuning.daemon_kinds for name in target.daemons_of(kind).unreachable]
    if away:
        text = _(
            "%(tuning)s is for the hosts behind %(target)s, and benchlab does not reach %(hosts)s "
            "of them. Add them as hosts, or run such tests untuned."
        ) % {
            "tuning": tuning.name,
            "target": target.label,
            "hosts": ", ".join(dict.fromkeys(away)),
        }
        yield Problem(text, field="tunings", saving=False)


def _restart_forbidden(tuning: PlannedTuning, target: PlannedTarget) -> Iterator[Problem]:
    """Yield a problem for each kind of daemons that is restarted and that no admin allows."""
    for kind in tuning.restarted_kinds if target.kind == "pool" else ():
        if kind in target.restarts:
            continue
        settings = [
            one
            for one in tuning.settings
            if one.kind == CEPH_CONF and (one.section or OSD_SECTION) == kind
        ]
        text = _(
            "%(tuning)s restarts the %(daemons)s behind %(target)s for %(settings)s. An admin has "
            "to allow that on the page of %(host)s."
        ) % {
            "tuning": tuning.name,
            "daemons": DAEMON_LABELS[kind],
            "target": target.label,
            "settings": describe(settings),
            "host": target.host.name,
        }
        yield Problem(text, field="tunings", saving=False)


def _too_late(tuning: PlannedTuning, target: PlannedTarget) -> Iterator[Problem]:
    """Yield a problem for options that the running cluster cannot change."""
    slow = [one for one in tuning.settings if is_misplaced(one, target.slow_options)]
    if slow:
        text = _(
            "%(tuning)s: %(settings)s takes effect only when daemons of %(target)s are restarted. "
            "Write it below the Ceph options that need a restart."
        ) % {"tuning": tuning.name, "settings": describe(slow), "target": target.label}
        yield Problem(text, field="tunings", saving=False)


def _of_other_daemons(tuning: PlannedTuning, target: PlannedTarget) -> Iterator[Problem]:
    """Yield a problem for options whose daemons are not those that would be restarted."""
    foreign = [one for one in tuning.settings if is_foreign(one, target.slow_options)]
    if foreign:
        text = _(
            "%(tuning)s: the daemons that would be restarted on %(target)s do not read "
            "%(settings)s. The page of the profile makes one with the right daemons."
        ) % {"tuning": tuning.name, "settings": describe(foreign), "target": target.label}
        yield Problem(text, field="tunings", saving=False)


def _unknown_options(tuning: PlannedTuning, target: PlannedTarget) -> Iterator[Problem]:
    """Yield a problem for options that the cluster's Ceph does not have."""
    unknown = unknown_options(tuning.settings, target.option_names)
    if unknown:
        text = _(
            "%(tuning)s: the Ceph of %(target)s has no option %(names)s. The page of the profile "
            "makes one without them."
        ) % {"tuning": tuning.name, "names": ", ".join(unknown), "target": target.label}
        yield Problem(text, field="tunings", saving=False)


def tuning_warnings(plan: PlannedPlan, target: PlannedTarget) -> Iterator[Problem]:
    """Yield warnings for settings that have no effect on this target."""
    if plan.spec.on_tuning_unavailable != FAIL:
        for tuning, settings in _unreached(plan, target):
            text = _(
                "%(tuning)s cannot be in force on %(target)s: %(settings)s reaches nothing of it. "
                "These tests run untuned and are recorded as untuned."
            ) % {"tuning": tuning.name, "target": target.label, "settings": settings}
            yield Problem(text, field="tunings", saving=False)
    for tuning in plan.tunings:
        for part in target.parts:
            yield from _scheduler_warnings(tuning, part)


def _unreached(plan: PlannedPlan, target: PlannedTarget) -> Iterator[tuple[PlannedTuning, str]]:
    """Yield tuning profiles with their settings that apply to nothing of the target.

    Pinning and file systems are checked with each step.
    """
    reach = TuningScope(
        {part.kind for part in target.parts},
        pinned=True,
        has_osd_hosts=bool(target.osd_hosts) and not target.unreachable_osd_hosts,
        restarts=target.restartable,
        files=True,
    )
    for tuning in plan.tunings:
        if left := inapplicable_settings(tuning.settings, reach):
            yield tuning, describe(left)


def _scheduler_warnings(tuning: PlannedTuning, part: PlannedMember) -> Iterator[Problem]:
    for setting in tuning.settings if part.schedulers else ():
        if setting.name == "scheduler" and setting.value not in part.schedulers:
            offered = ", ".join(part.schedulers)
            text = _("%(tuning)s: %(disk)s offers %(offered)s, not %(value)s.") % {
                "tuning": tuning.name,
                "disk": part.label,
                "offered": offered,
                "value": setting.value,
            }
            yield Problem(text, field="tunings", saving=False)

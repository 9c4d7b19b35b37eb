"""Effects of a run in words. Each text contains all that the digest of its effect contains."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from django.utils.translation import gettext as _

from apps.common.domain.value_format import format_value
from apps.common.schemas.struct_fields import struct_fields
from apps.plans.domain.param_text import fields_of, param_label, value_text
from apps.plans.schemas.disturbance import Disturbance
from apps.runs.schemas import Effects, MemberEffect, TargetEffect, TuningEffect, WorkloadEffect
from apps.tools.workloads.order import name_key, workload_order
from apps.tuning.domain.setting_catalog import SETTINGS
from apps.tuning.domain.settings import SCOPE_LABELS, TYPED

NO_ADDRESS = "@:22"
"""Address in the effect of the host that benchlab itself runs on."""


def workload_texts(workloads: Iterable[WorkloadEffect]) -> list[str]:
    """Return the texts of workloads by tool, then by the values of their parameters."""

    def order(one: WorkloadEffect) -> tuple[Any, ...]:
        return workload_order(one.tool, json.loads(one.params)), one.settle_seconds, one.params

    return [workload_text(one) for one in sorted(workloads, key=order)]


def workload_text(workload: WorkloadEffect) -> str:
    """Return tool and parameters with their labels and units, in the order of the tool's form."""
    tool, params = workload.tool, json.loads(workload.params)
    given = {key: value for key, value in params.items() if value is not None}
    names = [name for name in fields_of(tool) if name in given]
    names += sorted(given.keys() - set(names))
    values = (
        f"{param_label(tool, name)} = {value_text(tool, name, given[name])}" for name in names
    )
    text = f"{tool} " + ", ".join(values)
    if not workload.settle_seconds:
        return text
    return _("{load}, from {time} before the test").format(
        load=text, time=_seconds_text(workload.settle_seconds)
    )


def target_texts(targets: Iterable[TargetEffect]) -> list[str]:
    """Return the texts of targets, numbers by value."""
    return sorted(map(target_text, targets), key=name_key)


def target_text(target: TargetEffect) -> str:
    """Return the members of a target, and its kind if it is not theirs."""
    kind = "" if {member.kind for member in target.members} == {target.kind} else target.kind
    head = " ".join(filter(None, (kind, target.level)))
    return (f"{head}: " if head else "") + "; ".join(map(_member_text, target.members))


def _member_text(member: MemberEffect) -> str:
    parts = [f"{member.kind} {member.identity}".strip(), _host_text(member.host)]
    parts += [member.role] if member.role else []
    parts += [size_text(member.size)] if member.size else []
    if member.pool_layout:
        parts.append(_layout_text(member.pool_layout))
    if member.content == "test":
        parts.append(_("content of a test"))
    elif member.content:
        parts.append(_("content {digest}").format(digest=member.content[:12]))
    if member.restarts:
        parts.append(_("restarts daemons: {how}").format(how=member.restarts))
    return ", ".join(parts)


def _host_text(host: str) -> str:
    """Return a host as it is reached; the login of this machine has no address."""
    parts = [
        f"{part.removesuffix(NO_ADDRESS)}@{_('this machine')}".lstrip("@")
        if part.endswith(NO_ADDRESS)
        else part
        for part in host.split(" ")
    ]
    return _("host {name}").format(name=" ".join(parts))


def _layout_text(layout: str) -> str:
    """Return the layout of a pool with Ceph's names; the text itself if it is no JSON object."""
    try:
        values = msgspec.json.decode(layout, type=dict[str, Any])
    except (msgspec.MsgspecError, UnicodeError):
        return layout
    return ", ".join(f"{name} = {value}" for name, value in values.items() if value is not None)


def tuning_texts(tunings: Iterable[TuningEffect]) -> list[str]:
    """Return the texts of tunings, numbers by value."""
    return sorted(map(tuning_text, tunings), key=name_key)


def tuning_text(tuning: TuningEffect) -> str:
    """Return the settings of a tuning."""
    settings = ", ".join(map(_setting_text, tuning.settings)) or _("host defaults")
    if not tuning.settle_seconds:
        return settings
    return _("{settings}, then {time} of rest").format(
        settings=settings, time=_seconds_text(tuning.settle_seconds)
    )


def _setting_text(setting: Sequence[str]) -> str:
    kind, name, value, section, scope = setting
    full = "/".join(filter(None, (kind, section, name)))
    definition = SETTINGS.get(name) if kind in TYPED else None
    unit = f" {definition.unit}" if definition and definition.unit else ""
    labels = {str(name): label for name, label in SCOPE_LABELS.items()}
    return f"{full} = {value}{unit}" + (f" ({labels.get(scope, scope)})" if scope else "")


class _DisturbanceEffect(msgspec.Struct, forbid_unknown_fields=True):
    """JSON of `apps.runs.selectors.effect_disturbance`. Of a cluster: fsid, stop, start."""

    disturbance: Disturbance
    clusters: tuple[tuple[str, str, str], ...] = ()


def disturbance_text(disturbance: str) -> str:
    """Return each field of a disturbance with its label; the text itself if it is unknown."""
    try:
        effect = msgspec.json.decode(disturbance, type=_DisturbanceEffect)
    except (msgspec.MsgspecError, UnicodeError):
        return disturbance
    parts = []
    for each in struct_fields(Disturbance):
        value = getattr(effect.disturbance, each.name)
        if value not in ("", None):
            parts.append(f"{_(each.field.label)}: {dict(each.choices).get(str(value), value)}")
    for fsid, *commands in effect.clusters:
        parts.append(" ".join((_("cluster {fsid}").format(fsid=fsid), *filter(None, commands))))
    return "; ".join(parts)


def _seconds_text(seconds: float) -> str:
    """Return the exact seconds: an approver sees each change."""
    return f"{seconds:g} s"


def bytes_text(effects: Effects) -> str:
    """Return the bytes that are written as text."""
    if effects.bytes_written is None:
        return _("as many as the device takes")
    return size_text(effects.bytes_written)


def size_text(size: int) -> str:
    """Return a rounded size and the exact bytes."""
    return f"{format_value(float(size), 'bytes')} ({size} B)"

"""Digest of the effects of a run, and what differs between two of them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec
from django.utils.translation import gettext as _

from apps.common.domain.value_format import format_value
from apps.runs.domain.further_rules import further_lines
from apps.runs.schemas import Effects, MemberEffect, TargetEffect, TuningEffect, WorkloadEffect

MAX_LINES = 50


def canonical(value: Any) -> str:
    """Return the JSON text with sorted keys, equal for equal values."""
    return msgspec.json.encode(value, order="sorted").decode()


def sha256(value: Any) -> str:
    """Return the SHA-256 of the canonical JSON of a value, in hexadecimal digits."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def effects_digest(effects: Effects) -> str:
    """Return the digest that an approval is bound to."""
    return sha256(effects)


def differences(before: Effects, after: Effects) -> list[str]:
    """Return what differs as text, one line per difference."""
    lines = [
        *_listed(
            _("Test"), map(workload_text, before.workloads), map(workload_text, after.workloads)
        ),
        *_listed(_("Target"), map(target_text, before.targets), map(target_text, after.targets)),
        *_listed(_("Tuning"), map(tuning_text, before.tunings), map(tuning_text, after.tunings)),
        *_changed(_("Cases"), str(before.cases), str(after.cases)),
        *_changed(_("Repeats"), str(before.repeats), str(after.repeats)),
        *_changed(_("Bytes written"), bytes_text(before), bytes_text(after)),
        *_listed(
            _("Rules that add cases"), further_lines(before.further), further_lines(after.further)
        ),
        *_changed(_("File systems may be destroyed"), _yes(before.wipe), _yes(after.wipe)),
        *_changed(_("Disturbance"), before.disturbance, after.disturbance),
    ]
    if (before.order, before.counts) != (after.order, after.counts):
        lines.append(_("The order or the number of single cases differs."))
    return lines[:MAX_LINES]


def _listed(title: str, before: Iterable[str], after: Iterable[str]) -> Iterator[str]:
    old, new = list(before), list(after)
    yield from (f"{title}: − {text}" for text in old if text not in new)
    yield from (f"{title}: + {text}" for text in new if text not in old)


def _changed(title: str, before: str, after: str) -> Iterator[str]:
    if before != after:
        yield f"{title}: {before or '–'} → {after or '–'}"


def _yes(value: bool) -> str:
    return _("yes") if value else _("no")


def workload_text(workload: WorkloadEffect) -> str:
    """Return tool and parameters."""
    params = json.loads(workload.params)
    given = [key for key in sorted(params) if params[key] is not None]
    text = f"{workload.tool} " + ", ".join(f"{key} = {params[key]}" for key in given)
    if not workload.settle_seconds:
        return text
    return _("{load}, from {time} before the test").format(
        load=text, time=_seconds_text(workload.settle_seconds)
    )


def target_text(target: TargetEffect) -> str:
    """Return the members of a target, and its kind if it is not theirs."""
    kind = "" if {member.kind for member in target.members} == {target.kind} else target.kind
    head = " ".join(filter(None, (kind, target.level)))
    return (f"{head}: " if head else "") + "; ".join(map(_member_text, target.members))


def _member_text(member: MemberEffect) -> str:
    parts = [f"{member.kind} {member.identity}".strip(), _("host {name}").format(name=member.host)]
    parts += [member.role] if member.role else []
    parts += [f"{member.size} B"] if member.size else []
    if member.pool_layout:
        parts.append(member.pool_layout)
    if member.content:
        content = {"test": _("content of a test")}.get(member.content, member.content[:12])
        parts.append(content)
    if member.restarts:
        parts.append(_("restarts daemons: {how}").format(how=member.restarts))
    return ", ".join(parts)


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
    return f"{full}{'@' + scope if scope else ''} = {value}"


def _seconds_text(seconds: float) -> str:
    """Return the exact seconds: an approver sees each change."""
    return f"{seconds:g} s"


def bytes_text(effects: Effects) -> str:
    """Return the bytes as text."""
    if effects.bytes_written is None:
        return _("as many as the device takes")
    return f"{format_value(float(effects.bytes_written), 'bytes')} ({effects.bytes_written} B)"

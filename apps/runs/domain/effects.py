"""Digest of the effects of a run, and what differs between two of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from django.utils.translation import gettext as _

from apps.runs.domain.effect_texts import (
    bytes_text,
    disturbance_text,
    target_texts,
    tuning_texts,
    workload_texts,
)
from apps.runs.domain.further_rules import further_lines
from apps.runs.schemas import Effects

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
        *_listed(_("Test"), workload_texts(before.workloads), workload_texts(after.workloads)),
        *_listed(_("Target"), target_texts(before.targets), target_texts(after.targets)),
        *_listed(_("Tuning"), tuning_texts(before.tunings), tuning_texts(after.tunings)),
        *_changed(_("Cases"), str(before.cases), str(after.cases)),
        *_changed(_("Repeats"), str(before.repeats), str(after.repeats)),
        *_changed(_("Bytes written"), bytes_text(before), bytes_text(after)),
        *_listed(
            _("Rules that add cases"), further_lines(before.further), further_lines(after.further)
        ),
        *_changed(_("File systems may be destroyed"), _yes(before.wipe), _yes(after.wipe)),
        *_changed(
            _("Disturbance"),
            disturbance_text(before.disturbance),
            disturbance_text(after.disturbance),
        ),
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

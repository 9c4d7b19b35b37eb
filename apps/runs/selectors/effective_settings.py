"""Effective settings of an attempt: read before, during and after the measurement."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from apps.remote.host_settings import ObservedSetting, ReportedSetting, SettingSpec
from apps.remote.responses import Exit, TuningResultPart, reported_settings
from apps.runs.models import AttemptJob

PROBLEMS: tuple[TuningResultPart, ...] = ("changed", "conflicts", "failed")


@dataclass(frozen=True)
class EffectiveSetting:
    """Setting of one scope, read before, during and after the measurement.

    `identity`: of the disk or the section of Ceph's configuration, empty for the host.
    `requested`: None if no profile sets it. A value is None if it was not read.
    `problems`: "changed" during the measurement, "conflicts" (set by another program), "failed"
    (not restored).
    """

    host: int
    kind: str
    identity: str
    name: str
    requested: str | None
    before: str | None = None
    during: str | None = None
    after: str | None = None
    problems: tuple[str, ...] = ()

    @property
    def is_unchanged(self) -> bool:
        """Return True if the setting was not requested and did not change."""
        return self.requested is None and self.before == self.during == self.after

    @property
    def is_left_changed(self) -> bool:
        """Return True if the values before and after differ."""
        return None not in (self.before, self.after) and self.before != self.after


def effective_settings(jobs: Iterable[AttemptJob]) -> list[EffectiveSetting]:
    """Return each setting of each scope once; of several stages, the first that applied it."""
    result: dict[tuple[object, ...], EffectiveSetting] = {}
    for job in jobs:
        for one in _of_job(job):
            known = result.setdefault((one.host, one.kind, one.identity, one.name), one)
            if known.requested is None and one.requested is not None:
                result[one.host, one.kind, one.identity, one.name] = one
    return list(result.values())


def _of_job(job: AttemptJob) -> Iterator[EffectiveSetting]:
    ended: Exit = job.exit or {"tuning": (job.refusal or {}).get("tuning")}
    seen = [
        _seen(job.host_id, row, ended) for row in (ended.get("tuning") or {}).get("effective", ())
    ]
    requested = {(one.kind, one.name) for one in seen if one.requested is not None}
    for row in job.spec.get("tuning") or ():
        if (row.get("kind", "queue"), row.get("name")) not in requested:
            yield _unseen(job.host_id, row, ended)
    yield from seen


def _seen(host: int, row: ObservedSetting, ended: Exit) -> EffectiveSetting:
    """Return a setting that the agent read three times."""
    kind, identity = str(row.get("kind", "queue")), str(row.get("identity") or "")
    name = str(row.get("name"))
    return EffectiveSetting(
        host,
        kind,
        identity,
        name,
        row.get("requested"),
        row.get("before"),
        row.get("value"),
        row.get("after"),
        tuple(part for part in PROBLEMS if _named(reported_settings(ended, part), identity, name)),
    )


def _unseen(host: int, row: SettingSpec, ended: Exit) -> EffectiveSetting:
    """Return a setting that was not applied, or by an agent that only read its own settings."""
    name, identity = str(row.get("name")), str(row.get("identity") or "")
    reported = {part: _named(reported_settings(ended, part), identity, name) for part in _PARTS}
    during = _value(reported["changed"]) or _value(reported["applied"])
    return EffectiveSetting(
        host,
        row.get("kind", "queue"),
        identity,
        name,
        str(row.get("value", "")),
        during=during,
        after=_value(reported["restored"]),
        problems=tuple(part for part in PROBLEMS if reported[part]),
    )


_PARTS: tuple[TuningResultPart, ...] = ("applied", "changed", "restored", "conflicts", "failed")


def _named(rows: Sequence[ReportedSetting], identity: str, name: str) -> list[ReportedSetting]:
    """Return the rows of a setting. Older agents do not report the identity."""
    return [
        row
        for row in rows
        if row.get("name") == name and (row.get("identity") or identity) == identity
    ]


def _value(rows: Sequence[ReportedSetting]) -> str | None:
    return next(
        (str(value) for row in rows if (value := row.get("actual", row.get("value")))), None
    )


def group_equal(rows: Iterable[EffectiveSetting]) -> list[list[EffectiveSetting]]:
    """Group settings that differ only in host and scope."""
    result: dict[EffectiveSetting, list[EffectiveSetting]] = {}
    for one in rows:
        result.setdefault(replace(one, host=0, identity=""), []).append(one)
    return list(result.values())

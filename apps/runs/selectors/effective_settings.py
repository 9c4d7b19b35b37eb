"""Settings around an attempt's measurement: found before, read during, read afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from apps.remote.responses import Exit, TuningResultPart, reported_settings
from apps.remote.settings import ObservedSetting, ReportedSetting, SettingSpec
from apps.runs.models import AttemptJob

PROBLEMS: tuple[TuningResultPart, ...] = ("changed", "conflicts", "failed")


@dataclass(frozen=True)
class EffectiveSetting:
    """One setting in one place. `identity` is of the disk or the section of Ceph's configuration,
    empty for the host; values are None where nobody read them, `asked` where nobody asked.
    `problems`: it changed during the measurement ("changed"), somebody else set it meanwhile
    ("conflicts"), it could not be given back ("failed").
    """

    host: int
    kind: str
    identity: str
    name: str
    asked: str | None
    before: str | None = None
    during: str | None = None
    after: str | None = None
    problems: tuple[str, ...] = ()

    @property
    def is_as_found(self) -> bool:
        """Whether nobody asked for it, and it stayed as it was."""
        return self.asked is None and self.before == self.during == self.after

    @property
    def is_left_changed(self) -> bool:
        """Whether it was read afterwards and is not what it was before."""
        return None not in (self.before, self.after) and self.before != self.after


def read_back(jobs: Iterable[AttemptJob]) -> list[EffectiveSetting]:
    """Every setting in every place it was asked for or read in, each once: of several acts on one
    host, the first that lent it.
    """
    found: dict[tuple[object, ...], EffectiveSetting] = {}
    for job in jobs:
        for one in _of_job(job):
            known = found.setdefault((one.host, one.kind, one.identity, one.name), one)
            if known.asked is None and one.asked is not None:
                found[one.host, one.kind, one.identity, one.name] = one
    return list(found.values())


def _of_job(job: AttemptJob) -> Iterator[EffectiveSetting]:
    ended: Exit = job.exit or {"tuning": (job.refusal or {}).get("tuning")}
    seen = [
        _seen(job.host_id, row, ended) for row in (ended.get("tuning") or {}).get("effective", ())
    ]
    asked = {(one.kind, one.name) for one in seen if one.asked is not None}
    for row in job.spec.get("tuning") or ():
        if (row.get("kind", "queue"), row.get("name")) not in asked:
            yield _unseen(job.host_id, row, ended)
    yield from seen


def _seen(host: int, row: ObservedSetting, ended: Exit) -> EffectiveSetting:
    """A setting as the agent read it three times."""
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
    """A setting that was never lent, or by an agent that read only what it wrote."""
    name, identity = str(row.get("name")), str(row.get("identity") or "")
    told = {part: _named(reported_settings(ended, part), identity, name) for part in _PARTS}
    during = _value(told["changed"]) or _value(told["applied"])
    return EffectiveSetting(
        host,
        row.get("kind", "queue"),
        identity,
        name,
        str(row.get("value", "")),
        during=during,
        after=_value(told["restored"]),
        problems=tuple(part for part in PROBLEMS if told[part]),
    )


_PARTS: tuple[TuningResultPart, ...] = ("applied", "changed", "restored", "conflicts", "failed")


def _named(rows: Sequence[ReportedSetting], identity: str, name: str) -> list[ReportedSetting]:
    """Those about a setting. An agent of before said no identity."""
    return [
        row
        for row in rows
        if row.get("name") == name and (row.get("identity") or identity) == identity
    ]


def _value(rows: Sequence[ReportedSetting]) -> str | None:
    return next(
        (str(value) for row in rows if (value := row.get("actual", row.get("value")))), None
    )


def alike(rows: Iterable[EffectiveSetting]) -> list[list[EffectiveSetting]]:
    """Rows that differ in their place alone, together."""
    found: dict[EffectiveSetting, list[EffectiveSetting]] = {}
    for one in rows:
        found.setdefault(replace(one, host=0, identity=""), []).append(one)
    return list(found.values())

"""The fate of a tuning profile's settings in an attempt, from what the agents read back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from apps.remote.answers import TUNED_PARTS, TunedPart, told_settings
from apps.remote.settings import LentSetting, ToldSetting
from apps.results.jobs import job_rows
from apps.runs.models import Attempt

Key = tuple[str, str, str]
"""(host's name, "" for the only one; identity, "" where it is of the whole host; setting)"""


@dataclass(frozen=True)
class SettingLent:
    """One setting on its way: what was asked, what was read during the run, what was given back.
    `where` is empty when there is only one place.
    """

    name: str
    asked: str
    during: str
    after: str
    note: str
    where: str = ""


def settings_of(attempt: Attempt) -> list[SettingLent]:
    """Every setting in every place it was lent to."""
    asked = {_key(row, host): row for host, row in _asked(attempt)}
    found = {part: _values(_told(attempt, part), asked) for part in TUNED_PARTS}
    several = len({key[:2] for key in asked}) > 1
    labels = _labels(attempt) if several else {}
    return [
        SettingLent(
            name=str(row.get("name")),
            asked=str(row.get("value", "")),
            during=found["changed"].get(key) or found["applied"].get(key, ""),
            after=found["restored"].get(key, ""),
            note=_note(key, found),
            where=labels.get(key[:2], " ".join(key[:2])) if several else "",
        )
        for key, row in asked.items()
    ]


def _asked(attempt: Attempt) -> Iterator[tuple[str, LentSetting]]:
    """(host, setting) of everything that was to be lent."""
    for job in job_rows(attempt):
        for row in job.spec.get("tuning") or ():
            yield job.name, row


def _told(attempt: Attempt, part: TunedPart) -> Iterator[tuple[str, ToldSetting]]:
    """(host, setting) of what the hosts said in the end."""
    for job in job_rows(attempt):
        for setting in told_settings(job.exit, part):
            yield job.name, setting


def _key(row: LentSetting | ToldSetting, host: str) -> Key:
    return (host, str(row.get("identity") or ""), str(row.get("name")))


def _values(
    rows: Iterable[tuple[str, ToldSetting]], asked: Mapping[Key, LentSetting]
) -> dict[Key, str]:
    """The values read back. An agent of before said no identity: then every place of the name."""
    found: dict[Key, str] = {}
    for host, row in rows:
        value = str(row.get("found", row.get("value")) or "")
        exact = _key(row, host)
        same = [key for key in asked if key[2] == exact[2] and not exact[1]]
        found |= dict.fromkeys([exact] if exact in asked else same, value)
    return found


def _note(key: Key, found: Mapping[TunedPart, Mapping[Key, str]]) -> str:
    notes = [
        _("did not keep its value during the run") if key in found["changed"] else "",
        _("somebody else changed it; left as found") if key in found["conflicts"] else "",
        _("could not be given back") if key in found["failed"] else "",
    ]
    return "; ".join(note for note in notes if note)


def _labels(attempt: Attempt) -> dict[tuple[str, str], str]:
    """A place by its host and identity, as the parts of the result are called."""
    labels = {("", ""): attempt.case.host.name}
    for member in attempt.case.members:
        labels[member.host_name, ""] = member.host_name
        labels[member.host_name, member.identity] = member.label
        labels["", member.identity] = member.label
    return labels

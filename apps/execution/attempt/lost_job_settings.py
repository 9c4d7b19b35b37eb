"""Settings of a lost job, from the journal on its host: a lost job wrote no exit.json."""

from __future__ import annotations

from apps.remote.host_settings import JournalSetting, ObservedSetting, ReportedSetting
from apps.remote.responses import JobRefusal, TuningJournal


def settings_from_journal(journal: TuningJournal | None) -> JobRefusal | None:
    """Return the settings of a journal in the form that a refused job reports them.

    Each with its original, last and restored value. None if no setting was applied.
    """
    settings = journal.get("settings") if journal else None
    if not settings:
        return None
    return {
        "reasons": [],
        "tuning": {
            "effective": [_seen(one) for one in settings],
            "restored": [
                _setting_name(one) for one in settings if one.get("outcome") == "restored"
            ],
            "conflicts": [
                _setting_name(one) for one in settings if one.get("outcome") == "conflict"
            ],
            "failed": [_setting_name(one) for one in settings if one.get("outcome") == "failed"],
        },
    }


def _seen(one: JournalSetting) -> ObservedSetting:
    """Return a setting as read on its host; a restored one has its original value again."""
    return {
        "kind": one.get("kind", "queue"),
        "identity": one["identity"],
        "name": one["name"],
        "requested": one["value"],
        "before": one["original"],
        "value": one.get("last_value") if one["step"] == "applied" else None,
        "after": one["original"] if one.get("outcome") == "restored" else None,
    }


def _setting_name(one: JournalSetting) -> ReportedSetting:
    return {"kind": one.get("kind", "queue"), "identity": one["identity"], "name": one["name"]}

"""Settings of a job that was lost: nobody was left to say in exit.json what became of them, but the
journal on its host does.
"""

from __future__ import annotations

from apps.remote.answers import Loan, Refusal
from apps.remote.settings import JournalSetting, SeenSetting, ToldSetting


def settings_from_journal(loan: Loan | None) -> Refusal | None:
    """The settings of a journal as a refused job tells of them: found before, read last, and after
    they were given back. None where nothing was lent.
    """
    settings = loan.get("settings") if loan else None
    if not settings:
        return None
    return {
        "reasons": [],
        "tuning": {
            "in_force": [_seen(one) for one in settings],
            "restored": [_told(one) for one in settings if one.get("outcome") == "restored"],
            "conflicts": [_told(one) for one in settings if one.get("outcome") == "conflict"],
            "failed": [_told(one) for one in settings if one.get("outcome") == "failed"],
        },
    }


def _seen(one: JournalSetting) -> SeenSetting:
    """Given back means that the original was read once more."""
    return {
        "kind": one.get("kind", "queue"),
        "identity": one["identity"],
        "name": one["name"],
        "asked": one["value"],
        "before": one["original"],
        "value": one.get("seen") if one["step"] == "applied" else None,
        "after": one["original"] if one.get("outcome") == "restored" else None,
    }


def _told(one: JournalSetting) -> ToldSetting:
    return {"kind": one.get("kind", "queue"), "identity": one["identity"], "name": one["name"]}

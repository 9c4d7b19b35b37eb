"""Unrestored settings of a host, as rows and as text.

Pure functions without database access.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from apps.common.schemas.storable import cleaned
from apps.inventory.schemas.unrestored_settings import UnrestoredSetting, UnrestoredSettings
from apps.remote.host_settings import ReportedSetting
from apps.remote.responses import OpenJournal
from apps.tools.messages import message, plural_message

MAX_UNRESTORED, MAX_SETTINGS, LONGEST = 50, 100, 500


def unrestored_settings(answers: Iterable[OpenJournal]) -> list[UnrestoredSettings]:
    """Return the unrestored settings of a `restore_settings` response.

    Limited in number and in length.
    """
    return [cleaned(_open_settings(answer)) for answer in islice(answers, MAX_UNRESTORED)]


def _open_settings(answer: OpenJournal) -> UnrestoredSettings:
    return {
        "attempt": answer.attempt[:LONGEST],
        "since": answer.since,
        "why": answer.reason[:LONGEST],
        "settings": [_setting(setting) for setting in answer.settings[:MAX_SETTINGS]],
    }


def _setting(setting: ReportedSetting) -> UnrestoredSetting:
    return {
        "kind": setting.get("kind", "")[:LONGEST],
        "identity": setting.get("identity", "")[:LONGEST],
        "name": setting.get("name", "")[:LONGEST],
        "original": (setting.get("original") or "")[:LONGEST],
        "value": (setting.get("value") or "")[:LONGEST],
        "found": (setting.get("actual") or "")[:LONGEST],
    }


def unrestored_text(unrestored: Iterable[UnrestoredSettings]) -> str:
    """Return a sentence for the host's health; empty if all settings are restored."""
    rows = list(unrestored)
    changed = sum(len(row["settings"]) for row in rows)
    if not rows:
        return ""
    if not changed:
        return message(
            "All settings are restored, but their journal could not be closed: %(why)s",
            why=rows[0]["why"],
        )
    return plural_message(
        "%(count)d setting is still changed since a test ended: %(why)s",
        "%(count)d settings are still changed since a test ended: %(why)s",
        changed,
        why=rows[0]["why"],
    )

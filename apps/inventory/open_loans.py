"""Settings that a host could not give back, as its agent tells them: checked, and in words.

Pure functions; nothing here knows the database.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from apps.common.database.storable import cleaned
from apps.inventory.contract import OpenLoan, OpenLoanSetting, Raw
from apps.tools.sentences import counted, sentence

MOST_LOANS, MOST_SETTINGS, LONGEST = 50, 100, 500


def open_loans(told: Any) -> list[OpenLoan]:
    """`open` of the agent's answer to `recover` (docs/development/agent.md): `attempt`, `since`
    (seconds since 1970, or None), `why`, `settings`. What is not of that form is left out.
    """
    rows = [row for row in _list(told) if isinstance(row, dict) and row.get("attempt")]
    return [cleaned(_loan(row)) for row in rows[:MOST_LOANS]]


def _loan(row: Raw) -> OpenLoan:
    settings = [one for one in _list(row.get("settings")) if isinstance(one, dict)]
    return {
        "attempt": _text(row["attempt"]),
        "since": _moment(row.get("since")),
        "why": _text(row.get("why")),
        "settings": [_setting(setting) for setting in settings[:MOST_SETTINGS]],
    }


def _setting(row: Raw) -> OpenLoanSetting:
    return {
        "kind": _text(row.get("kind")),
        "identity": _text(row.get("identity")),
        "name": _text(row.get("name")),
        "original": _text(row.get("original")),
        "value": _text(row.get("value")),
        "found": _text(row.get("found")),
    }


def _list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else []


def _text(value: Any) -> str:
    return "" if value is None else str(value)[:LONGEST]


def _moment(value: Any) -> float | None:
    known = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return float(value) if known and 0 <= value < 1e11 else None


def loans_text(loans: Iterable[OpenLoan]) -> str:
    """Settings that are still lent, as a sentence for the host's health; empty when nothing is."""
    rows = list(loans)
    changed = sum(len(loan["settings"]) for loan in rows)
    if not rows:
        return ""
    if not changed:
        return sentence(
            "Settings are back, but a loan could not be closed: %(why)s", why=rows[0]["why"]
        )
    return counted(
        "%(count)d setting is still changed since a test ended: %(why)s",
        "%(count)d settings are still changed since a test ended: %(why)s",
        changed,
        why=rows[0]["why"],
    )

"""A tuning profile's settings: rows of kind, name and value, checked and in words.

Kinds "queue" and "cpu" are typed (apps.tuning.known); of "sysctl" and "ceph" the author writes the
names too (apps.tuning.free).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from .free import CEPH, MOST_ROWS, SYSCTL, free_key, free_row
from .known import CPU, QUEUE, SETTINGS, Setting

SHOWN_IN_A_LINE = 8
Row = dict[str, Any]


class SettingsError(ValueError):
    """Settings no profile may have: `errors` maps a setting's name to one sentence."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__("; ".join(f"{name}: {text}" for name, text in errors.items()))
        self.errors = dict(errors)


def read_value(setting: Setting, raw: object) -> str | int:
    """One value in canonical form: text for a scheduler, else a whole number. Raises ValueError
    with a sentence.
    """
    text = str(raw).strip()
    if isinstance(raw, bool) or not isinstance(raw, str | int):
        raise ValueError(_("Write one value."))
    if setting.choices:
        return _choice(setting, text)
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise ValueError(_("Write a whole number."))
    if not setting.minimum <= int(text) <= setting.maximum:
        limits = {"low": setting.minimum, "high": setting.maximum, "unit": setting.unit}
        raise ValueError(_("From %(low)s to %(high)s %(unit)s.") % limits)
    return int(text)


def _choice(setting: Setting, text: str) -> str | int:
    names = [name for name, _label in setting.choices]
    if text not in names:
        raise ValueError(_("Choose one of {}.").format(", ".join(names)))
    return int(text) if text.isdigit() else text


def canonical(rows: object) -> list[Row]:
    """A profile's settings checked, each at most once: those of SETTINGS in their order, then the
    kernel's, then Ceph's as they were written. Raises SettingsError.
    """
    if not isinstance(rows, Sequence) or isinstance(rows, str):
        raise SettingsError({"": _("Settings are a list of kind, name and value.")})
    found: dict[tuple[str, str], Row] = {}
    errors: dict[str, str] = {}
    for row in rows:
        try:
            one = _row(row)
        except SettingsError as error:
            errors |= error.errors
            continue
        key = (one["kind"], free_key(one))
        if key in found:
            errors[key[1]] = _("This setting is named twice.")
        found[key] = one
    if len(found) > 2 * MOST_ROWS:
        errors[""] = _("A profile has at most %d settings.") % (2 * MOST_ROWS)
    if errors:
        raise SettingsError(errors)
    return sorted(found.values(), key=_place)


def _place(row: Row) -> tuple[int, int]:
    """Where a row stands: its kind, then among the typed ones the order of SETTINGS."""
    names = list(SETTINGS)
    order = names.index(row["name"]) if row["name"] in SETTINGS else 0
    return (QUEUE, CPU, SYSCTL, CEPH).index(row["kind"]), order


def _row(row: object) -> Row:
    if not isinstance(row, Mapping) or not set(row) <= {"kind", "section", "name", "value"}:
        raise SettingsError({"": _("Each setting has a kind, a name and a value.")})
    name = str(row.get("name"))
    try:
        if row.get("kind") in (SYSCTL, CEPH):
            return free_row(row)
        setting = SETTINGS.get(name)
        if setting is None or row.get("kind", QUEUE) != setting.kind or "section" in row:
            raise ValueError(_("There is no such setting."))
        value = read_value(setting, row.get("value"))
    except ValueError as error:
        raise SettingsError({name: str(error)}) from error
    return {"kind": setting.kind, "name": setting.name, "value": value}


def describe(rows: Iterable[Mapping[str, Any]]) -> str:
    """Settings in a line for people: "scheduler = none, read_ahead_kb = 128 KiB"; of many, the
    first and how many more.
    """
    texts = [f"{row['name']} = {shown(row)}" for row in rows]
    more = len(texts) - SHOWN_IN_A_LINE
    if more > 1:
        texts = [*texts[:SHOWN_IN_A_LINE], _("and %d more") % more]
    return ", ".join(texts) or _("as found")


def shown(row: Mapping[str, Any]) -> str:
    """A setting's value with its unit."""
    setting = SETTINGS.get(row["name"]) if row.get("kind", QUEUE) in (QUEUE, CPU) else None
    unit = setting.unit if setting else ""
    return f"{row['value']} {unit}".strip()


@dataclass(frozen=True)
class Difference:
    """A setting two profiles disagree on; None where a profile leaves it as found."""

    name: str
    before: str | None
    after: str | None


def diff(before: Iterable[Row], after: Iterable[Row]) -> list[Difference]:
    """Every setting in which two profiles differ: SETTINGS in their order, then the rest."""
    old = {free_key(row): shown(row) for row in before}
    new = {free_key(row): shown(row) for row in after}
    every = [*SETTINGS, *(name for name in {**old, **new} if name not in SETTINGS)]
    names = [name for name in every if old.get(name) != new.get(name)]
    return [Difference(name, old.get(name), new.get(name)) for name in names]

"""The settings a tuning profile may hold: an allow-list with types, ranges and what each does.

Pure functions on lists of {"kind": "queue", "name": "scheduler", "value": "none"}. The settings of
kind "queue" are the files of /sys/block/<disk>/queue; their meaning is that of the kernel's
Documentation/ABI/stable/sysfs-block and Documentation/block/switching-sched.rst.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

QUEUE = "queue"
Row = dict[str, Any]


@dataclass(frozen=True)
class Setting:
    """One setting. With `choices` the value is one of them, else a whole number of `unit`."""

    name: str
    label: str | Promise
    help: str | Promise
    unit: str = ""
    choices: tuple[tuple[str, str | Promise], ...] = ()
    minimum: int = 0
    maximum: int = 0
    kind: str = QUEUE


class SettingsError(ValueError):
    """Settings no profile may have: `errors` maps a setting's name to one sentence."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__("; ".join(f"{name}: {text}" for name, text in errors.items()))
        self.errors = dict(errors)


_ALL = (
    Setting(
        "scheduler",
        lazy("I/O scheduler"),
        lazy(
            "In which order requests reach the disk. none suits NVMe and SSDs, mq-deadline SATA "
            "and SAS disks, bfq slow disks that many share. Kernels before 5.0 say noop, deadline "
            "and cfq. A disk offers only some of them."
        ),
        choices=tuple(
            (name, name)
            for name in ("none", "mq-deadline", "kyber", "bfq", "noop", "deadline", "cfq")
        ),
    ),
    Setting(
        "max_sectors_kb",
        lazy("Largest request"),
        lazy(
            "Larger operations are split into requests of this size. The disk's own limit "
            "(max_hw_sectors_kb) is the most it takes."
        ),
        unit="KiB",
        minimum=4,
        maximum=1_048_576,
    ),
    Setting(
        "rq_affinity",
        lazy("Completion CPU"),
        lazy(
            "Which CPU finishes a request. 2 spreads a fast disk's load over the CPUs that use it."
        ),
        choices=(
            ("0", lazy("0: any CPU")),
            ("1", lazy("1: the group of CPUs that asked")),
            ("2", lazy("2: exactly the CPU that asked")),
        ),
    ),
    Setting(
        "nr_requests",
        lazy("Requests in the queue"),
        lazy(
            "How many requests the block layer keeps waiting for each direction. Some drivers "
            "limit it to the depth of the hardware queue."
        ),
        unit="requests",
        minimum=4,
        maximum=65_536,
    ),
    Setting(
        "read_ahead_kb",
        lazy("Read-ahead"),
        lazy("How much is read in advance. It changes buffered reads only, not direct I/O."),
        unit="KiB",
        minimum=0,
        maximum=1_048_576,
    ),
)
SETTINGS: Mapping[str, Setting] = {setting.name: setting for setting in _ALL}


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
    """A profile's settings checked, in the order of SETTINGS, each at most once. Raises
    SettingsError.
    """
    if not isinstance(rows, Sequence) or isinstance(rows, str):
        raise SettingsError({"": _("Settings are a list of kind, name and value.")})
    found: dict[str, Row] = {}
    errors: dict[str, str] = {}
    for row in rows:
        try:
            one = _row(row)
        except SettingsError as error:
            errors |= error.errors
            continue
        if one["name"] in found:
            errors[one["name"]] = _("This setting is named twice.")
        found[one["name"]] = one
    if errors:
        raise SettingsError(errors)
    return [found[name] for name in SETTINGS if name in found]


def _row(row: object) -> Row:
    if not isinstance(row, Mapping) or not set(row) <= {"kind", "name", "value"}:
        raise SettingsError({"": _("Each setting has a kind, a name and a value.")})
    setting = SETTINGS.get(str(row.get("name")))
    if setting is None or row.get("kind", QUEUE) != setting.kind:
        raise SettingsError({str(row.get("name")): _("There is no such setting.")})
    try:
        value = read_value(setting, row.get("value"))
    except ValueError as error:
        raise SettingsError({setting.name: str(error)}) from error
    return {"kind": setting.kind, "name": setting.name, "value": value}


def describe(rows: Iterable[Mapping[str, Any]]) -> str:
    """Settings in a line for people: "scheduler = none, read_ahead_kb = 128 KiB"."""
    return ", ".join(f"{row['name']} = {shown(row)}" for row in rows) or _("as found")


def shown(row: Mapping[str, Any]) -> str:
    """A setting's value with its unit."""
    setting = SETTINGS.get(row["name"])
    unit = setting.unit if setting else ""
    return f"{row['value']} {unit}".strip()


@dataclass(frozen=True)
class Difference:
    """A setting two profiles disagree on; None where a profile leaves it as found."""

    name: str
    before: str | None
    after: str | None


def diff(before: Iterable[Row], after: Iterable[Row]) -> list[Difference]:
    """Every setting in which two profiles differ, in the order of SETTINGS."""
    old = {row["name"]: shown(row) for row in before}
    new = {row["name"]: shown(row) for row in after}
    names = [name for name in SETTINGS if old.get(name) != new.get(name)]
    return [Difference(name, old.get(name), new.get(name)) for name in names]

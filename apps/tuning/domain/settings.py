"""The settings of a tuning profile: checks and texts.

Kinds "queue", "cpu", "governor" and "filesystem" are typed (setting_catalog); of the others the
author types the names too (custom_settings).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import msgspec
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from apps.remote.agent.disks.filesystem_names import (
    MKFS_SETTINGS,
    MOUNT_OPTIONS,
    STRIPE,
    TYPE,
    invalid_setting,
    split_options,
)
from apps.remote.agent.tuning.iosched_names import PREFIX
from apps.remote.agent.tuning.irq_names import OF_DISKS
from apps.tuning.domain.custom_settings import MOST_SETTINGS, free_setting
from apps.tuning.domain.setting_catalog import SETTINGS, SettingDefinition
from apps.tuning.schemas.settings import (
    CEPH,
    CEPH_CONF,
    CLIENTS,
    CPU,
    FILESYSTEM,
    GOVERNOR,
    IRQ,
    KINDS,
    POOL,
    QUEUE,
    SCOPES,
    SERVERS,
    SYSCTL,
    Setting,
    Settings,
    SettingScope,
)

SHOWN_IN_A_LINE = 8
TYPED = (QUEUE, CPU, GOVERNOR, FILESYSTEM)
FIELDS = frozenset({"kind", "section", "name", "value", "scope"})
WORDS: Mapping[SettingScope, str | Promise] = {
    "": "",
    CLIENTS: lazy("hosts that send load"),
    SERVERS: lazy("servers"),
    POOL: lazy("behind the pool"),
}

PLACES: Mapping[str, tuple[SettingScope, ...]] = {
    QUEUE: ("", POOL),
    SYSCTL: SCOPES,
    GOVERNOR: SCOPES,
    IRQ: SCOPES,
    CEPH_CONF: (POOL,),
}


class SettingsError(ValueError):
    """Settings no profile may have: `errors` maps a setting's name to one sentence."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__("; ".join(f"{name}: {text}" for name, text in errors.items()))
        self.errors = dict(errors)


def read_value(setting: SettingDefinition, raw: object) -> str | int:
    """One value in canonical form: text for a scheduler, else a whole number. Raises ValueError
    with a sentence.
    """
    text = str(raw).strip()
    if isinstance(raw, bool) or not isinstance(raw, str | int):
        raise ValueError(_("Write one value."))
    if setting.words:
        return ",".join(split_options(text))
    if setting.choices:
        return _choice(setting, text)
    if not re.fullmatch(r"-?[0-9]{1,15}", text, re.ASCII):
        raise ValueError(_("Write a whole number."))
    if not setting.minimum <= int(text) <= setting.maximum:
        raise ValueError(limits_text(str(setting.minimum), str(setting.maximum), str(setting.unit)))
    return int(text)


def limits_text(low: str, high: str, unit: str) -> str:
    """The least and the largest value, with their unit where they have one."""
    if not unit:
        return _("From %(low)s to %(high)s.") % {"low": low, "high": high}
    return _("From %(low)s to %(high)s %(unit)s.") % {"low": low, "high": high, "unit": unit}


def _choice(setting: SettingDefinition, text: str) -> str | int:
    names = [name for name, _label in setting.choices]
    if text not in names:
        raise ValueError(_("Choose one of {}.").format(", ".join(names)))
    return int(text) if text.isdigit() else text


def canonical(given: object) -> Settings:
    """A profile's settings checked, each at most once: those of SETTINGS in their order, then the
    kernel's, then Ceph's as they were written. Raises SettingsError.
    """
    if not isinstance(given, Sequence) or isinstance(given, str):
        raise SettingsError({"": _("Settings are a list of kind, name and value.")})
    found: dict[tuple[str, str], Setting] = {}
    errors: dict[str, str] = {}
    for raw in given:
        try:
            one = _checked(raw)
        except SettingsError as error:
            errors |= error.errors
            continue
        if (one.kind, one.key) in found:
            errors[one.key] = _("This setting is named twice.")
        found[one.kind, one.key] = one
    errors |= _file_system_errors(found.values())
    if len(found) > 2 * MOST_SETTINGS:
        errors[""] = _("A profile has at most %d settings.") % (2 * MOST_SETTINGS)
    if errors:
        raise SettingsError(errors)
    return tuple(sorted(found.values(), key=_place))


def _file_system_errors(settings: Iterable[Setting]) -> dict[str, str]:
    """A sentence for the first setting of a file system that is missing or that it cannot have."""
    values = {one.name: str(one.value) for one in settings if one.kind == FILESYSTEM}
    name, value = invalid_setting(values) if values else ("", "")
    if not name:
        return {}
    if name == TYPE:
        return {name: _("Choose the file system that the other settings are for.")}
    words = {"type": values[TYPE], "value": value}
    if name == MOUNT_OPTIONS:
        return {name: _("%(type)s is not mounted with %(value)s here.") % words}
    if name in STRIPE and name in MKFS_SETTINGS[values[TYPE]] and not value:
        return {name: _("A stripe is its unit and its number of disks: write both.")}
    if value:
        return {name: _("%(type)s cannot have %(value)s.") % words}
    return {name: _("%(type)s has no such setting.") % words}


def _place(setting: Setting) -> tuple[int, int]:
    """The place of a setting: its kind, then among the typed ones the order of SETTINGS."""
    names = list(SETTINGS)
    order = names.index(setting.name) if setting.name in SETTINGS else len(names)
    return KINDS.index(setting.kind), order


def _checked(raw: object) -> Setting:
    """The setting that a person or script wrote. Raises SettingsError."""
    row = msgspec.to_builtins(raw) if isinstance(raw, Setting) else raw
    if not isinstance(row, Mapping) or not set(row) <= {
        "kind",
        "section",
        "name",
        "value",
        "scope",
    }:
        raise SettingsError({"": _("Each setting has a kind, a name and a value.")})
    kind, name, value = row.get("kind", QUEUE), str(row.get("name")), row.get("value")
    try:
        return at(_of_kind(row, kind, name, value), str(row.get("scope") or ""))
    except ValueError as error:
        raise SettingsError({name: str(error)}) from error


def _of_kind(row: Mapping[str, object], kind: object, name: str, value: object) -> Setting:
    for free in (SYSCTL, IRQ, CEPH, CEPH_CONF):
        if kind == free:
            return free_setting(free, name, value, str(row.get("section") or ""))
    if kind == QUEUE and name.startswith(PREFIX) and not row.get("section"):
        return free_setting(QUEUE, name, value)
    return typed_setting(kind, name, value, section=bool(row.get("section")))


def typed_setting(kind: object, name: str, value: object, *, section: bool = False) -> Setting:
    """One checked setting of a disk's queue, of CPUs or of a file system. Raises ValueError with a
    sentence.
    """
    known = SETTINGS.get(name)
    if known is None or kind != known.kind or section:
        raise ValueError(_("There is no such setting."))
    return Setting(known.kind, known.name, read_value(known, value))


def at(setting: Setting, scope: str) -> Setting:
    """The setting for these hosts and disks. Raises ValueError where it cannot be for them."""
    if setting.kind == CEPH_CONF:
        scope = scope or POOL
    allowed = ("", POOL) if setting.name == OF_DISKS else PLACES.get(setting.kind, ("",))
    if scope not in allowed:
        named = ", ".join(one or _("empty") for one in allowed)
        raise ValueError(_("Where it applies is one of: %s.") % named)
    return msgspec.structs.replace(setting, scope=scope)


def describe(settings: Iterable[Setting]) -> str:
    """Settings in a line for people: "scheduler = none, read_ahead_kb = 128 KiB"; of many, the
    first and how many more.
    """
    texts = [f"{one.name} = {shown(one)}{_at(one)}" for one in settings]
    more = len(texts) - SHOWN_IN_A_LINE
    if more > 1:
        texts = [*texts[:SHOWN_IN_A_LINE], _("and %d more") % more]
    return ", ".join(texts) or _("host defaults")


def _at(setting: Setting) -> str:
    return f" ({WORDS[setting.scope]})" if setting.scope else ""


def shown(setting: Setting) -> str:
    """A setting's value with its unit."""
    known = SETTINGS.get(setting.name) if setting.kind in TYPED else None
    unit = known.unit if known else ""
    return f"{setting.value} {unit}".strip()

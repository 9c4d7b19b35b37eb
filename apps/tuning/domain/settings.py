"""Checks and texts of a tuning profile's settings.

Kinds "queue", "cpu", "governor" and "filesystem" are typed (setting_catalog); for the others the
author also chooses the names (custom_settings).
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
from apps.tuning.domain.custom_settings import MAX_SETTINGS, custom_setting
from apps.tuning.domain.setting_catalog import SETTINGS
from apps.tuning.domain.setting_definition import SettingDefinition
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

MAX_IN_LINE = 8
TYPED = (QUEUE, CPU, GOVERNOR, FILESYSTEM)
FIELDS = frozenset({"kind", "section", "name", "value", "scope"})
SCOPE_LABELS: Mapping[SettingScope, str | Promise] = {
    "": "",
    CLIENTS: lazy("hosts that send load"),
    SERVERS: lazy("servers"),
    POOL: lazy("behind the pool"),
}

SCOPES_OF_KINDS: Mapping[str, tuple[SettingScope, ...]] = {
    QUEUE: ("", POOL),
    SYSCTL: SCOPES,
    GOVERNOR: SCOPES,
    IRQ: SCOPES,
    CEPH_CONF: (POOL,),
}


class SettingsError(ValueError):
    """Invalid settings of a profile. `errors` maps a setting's name to a sentence."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__("; ".join(f"{name}: {text}" for name, text in errors.items()))
        self.errors = dict(errors)


def read_value(setting: SettingDefinition, raw: object) -> str | int:
    """Return a value in canonical form: text for a choice, else a whole number.

    Raises: ValueError with a sentence.
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
    """Format the minimum and maximum value, with the unit if there is one."""
    if not unit:
        return _("From %(low)s to %(high)s.") % {"low": low, "high": high}
    return _("From %(low)s to %(high)s %(unit)s.") % {"low": low, "high": high, "unit": unit}


def _choice(setting: SettingDefinition, text: str) -> str | int:
    names = [name for name, _label in setting.choices]
    if text not in names:
        raise ValueError(_("Choose one of {}.").format(", ".join(names)))
    return int(text) if text.isdigit() else text


def canonical(raw_settings: object) -> Settings:
    """Check a profile's settings: each at most once, typed ones first, in the order of SETTINGS.

    The kernel's follow, then Ceph's, in their order.

    Raises: SettingsError.
    """
    if not isinstance(raw_settings, Sequence) or isinstance(raw_settings, str):
        raise SettingsError({"": _("Settings are a list of kind, name and value.")})
    by_key: dict[tuple[str, str], Setting] = {}
    errors: dict[str, str] = {}
    for raw in raw_settings:
        try:
            one = _checked(raw)
        except SettingsError as error:
            errors |= error.errors
            continue
        if (one.kind, one.key) in by_key:
            errors[one.key] = _("This setting is named twice.")
        by_key[one.kind, one.key] = one
    errors |= _file_system_errors(by_key.values())
    if len(by_key) > 2 * MAX_SETTINGS:
        errors[""] = _("A profile has at most %d settings.") % (2 * MAX_SETTINGS)
    if errors:
        raise SettingsError(errors)
    return tuple(sorted(by_key.values(), key=_sort_key))


def _file_system_errors(settings: Iterable[Setting]) -> dict[str, str]:
    """Return a sentence for the first missing or unsupported setting of a file system."""
    values = {one.name: str(one.value) for one in settings if one.kind == FILESYSTEM}
    name, value = invalid_setting(values) if values else ("", "")
    if not name:
        return {}
    if name == TYPE:
        return {name: _("Choose the file system that the other settings are for.")}
    params = {"type": values[TYPE], "value": value}
    if name == MOUNT_OPTIONS:
        return {name: _("%(type)s is not mounted with %(value)s here.") % params}
    if name in STRIPE and name in MKFS_SETTINGS[values[TYPE]] and not value:
        return {name: _("A stripe is its unit and its number of disks: write both.")}
    if value:
        return {name: _("%(type)s cannot have %(value)s.") % params}
    return {name: _("%(type)s has no such setting.") % params}


def _sort_key(setting: Setting) -> tuple[int, int]:
    """Return the sort key of a setting: its kind, then the order of SETTINGS."""
    names = list(SETTINGS)
    order = names.index(setting.name) if setting.name in SETTINGS else len(names)
    return KINDS.index(setting.kind), order


def _checked(raw: object) -> Setting:
    """Check a setting of a user or a script.

    Raises: SettingsError.
    """
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
    for custom_kind in (SYSCTL, IRQ, CEPH, CEPH_CONF):
        if kind == custom_kind:
            return custom_setting(custom_kind, name, value, str(row.get("section") or ""))
    if kind == QUEUE and name.startswith(PREFIX) and not row.get("section"):
        return custom_setting(QUEUE, name, value)
    return typed_setting(kind, name, value, section=bool(row.get("section")))


def typed_setting(kind: object, name: str, value: object, *, section: bool = False) -> Setting:
    """Return a checked setting of a disk's queue, of CPUs or of a file system.

    Raises: ValueError with a sentence.
    """
    definition = SETTINGS.get(name)
    if definition is None or kind != definition.kind or section:
        raise ValueError(_("There is no such setting."))
    return Setting(definition.kind, definition.name, read_value(definition, value))


def at(setting: Setting, scope: str) -> Setting:
    """Return the setting with a scope.

    Raises: ValueError for an invalid scope.
    """
    if setting.kind == CEPH_CONF:
        scope = scope or POOL
    allowed = ("", POOL) if setting.name == OF_DISKS else SCOPES_OF_KINDS.get(setting.kind, ("",))
    if scope not in allowed:
        options = ", ".join(one or _("empty") for one in allowed)
        raise ValueError(_("Where it applies is one of: %s.") % options)
    return msgspec.structs.replace(setting, scope=scope)


def describe(settings: Iterable[Setting]) -> str:
    """Format settings in a line: "scheduler = none, read_ahead_kb = 128 KiB".

    Of many settings the first ones and the number of the others are returned.
    """
    texts = [f"{one.name} = {shown(one)}{_at(one)}" for one in settings]
    more = len(texts) - MAX_IN_LINE
    if more > 1:
        texts = [*texts[:MAX_IN_LINE], _("and %d more") % more]
    return ", ".join(texts) or _("host defaults")


def _at(setting: Setting) -> str:
    return f" ({SCOPE_LABELS[setting.scope]})" if setting.scope else ""


def shown(setting: Setting) -> str:
    """Format a setting's value with its unit."""
    definition = SETTINGS.get(setting.name) if setting.kind in TYPED else None
    unit = definition.unit if definition else ""
    return f"{setting.value} {unit}".strip()

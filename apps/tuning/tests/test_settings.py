"""The allow-list of settings, and profiles in words."""

from __future__ import annotations

from typing import Any

import pytest

from apps.tuning.contract import Setting
from apps.tuning.known import SETTINGS
from apps.tuning.settings import SettingsError, canonical, describe


def row(name: str, value: object, kind: str = "queue") -> dict[str, object]:
    """A setting as a script writes it."""
    return {"kind": kind, "name": name, "value": value}


def queue(name: str, value: str | int) -> Setting:
    return Setting("queue", name, value)


def test_values_are_canonical_and_in_a_fixed_order() -> None:
    raw = [
        row("read_ahead_kb", "128"),
        row("rq_affinity", "2"),
        {"name": "scheduler", "value": "none"},
    ]
    assert canonical(raw) == (
        queue("scheduler", "none"),
        queue("rq_affinity", 2),
        queue("read_ahead_kb", 128),
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("scheduler", "fast"),
        ("scheduler", "none; reboot"),
        ("scheduler", ""),
        ("rq_affinity", 3),
        ("rq_affinity", True),
        ("nr_requests", 3),
        ("nr_requests", "64.5"),
        ("nr_requests", None),
        ("nr_requests", [64]),
        ("read_ahead_kb", -1),
        ("max_sectors_kb", 1_048_577),
        ("max_sectors_kb", "٤"),
        ("write_cache", "write through"),
    ],
)
def test_what_is_not_on_the_list_is_refused_by_name(name: str, value: Any) -> None:
    with pytest.raises(SettingsError) as caught:
        canonical([row(name, value)])
    assert list(caught.value.errors) == [name]


@pytest.mark.parametrize("rows", ["none", None, 3, [1], [{"name": "scheduler", "extra": 1}]])
def test_what_is_no_list_of_settings_is_refused(rows: Any) -> None:
    with pytest.raises(SettingsError):
        canonical(rows)


def test_another_kind_and_a_second_value_are_refused() -> None:
    with pytest.raises(SettingsError):
        canonical([{"kind": "sysctl", "name": "scheduler", "value": "none"}])
    with pytest.raises(SettingsError, match="twice"):
        canonical([row("scheduler", "none"), row("scheduler", "bfq")])


def test_every_wrong_setting_is_named_at_once() -> None:
    with pytest.raises(SettingsError) as caught:
        canonical([row("scheduler", "x"), row("nr_requests", 0)])
    assert set(caught.value.errors) == {"scheduler", "nr_requests"}


def test_the_limits_themselves_are_allowed() -> None:
    for setting in SETTINGS.values():
        limits = [str(setting.minimum), str(setting.maximum)]
        values = [value for value, _label in setting.choices] or limits
        for value in values:
            given = row(setting.name, value, setting.kind)
            assert str(canonical([given])[0].value) == value


def test_a_profile_in_a_line() -> None:
    rows = [queue("scheduler", "none"), queue("read_ahead_kb", 128)]
    assert describe(rows) == "scheduler = none, read_ahead_kb = 128 KiB"
    assert describe([]) == "as found"

"""The allow-list of settings, and profiles in words."""

from __future__ import annotations

from typing import Any

import pytest

from apps.remote.agent.disks.filesystem_names import TYPES, invalid_setting
from apps.tuning.domain.setting_catalog import SETTINGS
from apps.tuning.domain.settings import SettingsError, canonical, describe, limits_text
from apps.tuning.schemas.settings import Setting


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
    raw = [row("iosched/fifo_batch", "32"), row("scheduler", "mq-deadline")]
    assert canonical(raw) == (queue("scheduler", "mq-deadline"), queue("iosched/fifo_batch", 32))


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
        ("iosched/Fifo", "1"),
        ("iosched/fifo_batch", "-1"),
        ("io_poll_delay", "-2"),
        ("io_poll_delay", "--1"),
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
        if setting.kind == "filesystem":
            continue
        limits = [str(setting.minimum), str(setting.maximum)]
        values = [value for value, _label in setting.choices] or limits
        for value in values:
            given = row(setting.name, value, setting.kind)
            assert str(canonical([given])[0].value) == value


def test_a_profile_in_a_line() -> None:
    rows = [queue("scheduler", "none"), queue("read_ahead_kb", 128)]
    assert describe(rows) == "scheduler = none, read_ahead_kb = 128 KiB"
    assert describe([]) == "host defaults"


def test_every_choice_for_a_file_system_is_one_of_some_type() -> None:
    for setting in SETTINGS.values():
        for value, _label in setting.choices if setting.name.startswith("fs_") else ():
            kinds = [
                kind
                for kind in TYPES
                if invalid_setting({"filesystem": kind, setting.name: value})[0] != setting.name
            ]
            assert kinds, (setting.name, value)


def files(**values: str) -> list[dict[str, object]]:
    """The settings of a file system as a script writes them."""
    return [row(name, value, "filesystem") for name, value in values.items()]


def test_a_file_system_with_its_options() -> None:
    made = canonical(
        files(mount_options="noatime, data=writeback", filesystem="ext4", fs_block_size="1024")
    )
    assert [(one.kind, one.name, one.value) for one in made] == [
        ("filesystem", "filesystem", "ext4"),
        ("filesystem", "mount_options", "noatime,data=writeback"),
        ("filesystem", "fs_block_size", 1024),
    ]
    assert describe(made) == (
        "filesystem = ext4, mount_options = noatime,data=writeback, fs_block_size = 1024 bytes"
    )


@pytest.mark.parametrize(
    ("values", "name"),
    [
        ({"mount_options": "noatime"}, "filesystem"),
        ({"filesystem": "vfat"}, "filesystem"),
        ({"filesystem": "xfs", "fs_journal": "no"}, "fs_journal"),
        ({"filesystem": "xfs", "fs_inode_size": "128"}, "fs_inode_size"),
        ({"filesystem": "xfs", "fs_stripe_unit": "64"}, "fs_stripe_disks"),
        ({"filesystem": "ext4", "fs_stripe_disks": "4"}, "fs_stripe_unit"),
        ({"filesystem": "btrfs", "fs_stripe_disks": "4"}, "fs_stripe_disks"),
        ({"filesystem": "ext4", "mount_options": "noatime,usrjquota=x"}, "mount_options"),
        ({"filesystem": "ext4", "mount_options": "data=writeback journal_dev=8"}, "mount_options"),
        ({"filesystem": "btrfs", "mount_options": "device=/dev/sda"}, "mount_options"),
        ({"filesystem": "btrfs", "mount_options": "subvol=/"}, "mount_options"),
        ({"filesystem": "ext4", "mount_options": ","}, "mount_options"),
    ],
)
def test_a_file_system_that_cannot_be_meant_is_refused(values: dict[str, str], name: str) -> None:
    with pytest.raises(SettingsError) as caught:
        canonical(files(**values))
    assert list(caught.value.errors) == [name]


def test_limits_have_their_unit() -> None:
    assert limits_text("4", "65,536", "KiB") == "From 4 to 65,536 KiB."
    assert limits_text("1", "999,999", "") == "From 1 to 999,999."

"""Pasted lines become settings, and the rest is said."""

from __future__ import annotations

import pytest

from apps.tuning.domain.settings import SettingsError, canonical
from apps.tuning.domain.sysctl_parser import parse_lines, write_lines
from apps.tuning.schemas.settings import Setting

PASTED = """
# from the notes
echo 4194303 > /proc/sys/kernel/pid_max
sudo sysctl -w vm.swappiness=10
echo 2 > /sys/block/vdb/queue/rq_affinity
echo "mq-deadline" | sudo tee /sys/block/sda/queue/scheduler
echo 32 > /sys/block/sdb/queue/iosched/fifo_batch
net.ipv4.tcp_rmem = 4096 87380 16777216
irq:nvme0q* = spread
echo performance > /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor
[pool]
scheduler = none
iosched/read_lat_nsec = 1000000
kernel.pid_max = 4194303
irq:disks = 0-3, 8
scaling_governor = performance
"""


def test_what_people_paste() -> None:
    reading = parse_lines(PASTED)
    assert reading.problems == ()
    assert reading.settings == (
        Setting("sysctl", "kernel.pid_max", "4194303"),
        Setting("sysctl", "vm.swappiness", "10"),
        Setting("queue", "rq_affinity", 2),
        Setting("queue", "scheduler", "mq-deadline"),
        Setting("queue", "iosched/fifo_batch", 32),
        Setting("sysctl", "net.ipv4.tcp_rmem", "4096 87380 16777216"),
        Setting("irq", "irq:nvme0q*", "spread"),
        Setting("governor", "scaling_governor", "performance"),
        Setting("queue", "scheduler", "none", scope="pool"),
        Setting("queue", "iosched/read_lat_nsec", 1_000_000, scope="pool"),
        Setting("sysctl", "kernel.pid_max", "4194303", scope="pool"),
        Setting("irq", "irq:disks", "0-3,8", scope="pool"),
        Setting("governor", "scaling_governor", "performance", scope="pool"),
    )


def test_what_the_form_shows_is_read_again() -> None:
    typed = ("scheduler", "rq_affinity", "scaling_governor")
    read = parse_lines(PASTED).settings
    settings = tuple(one for one in read if one.name not in typed or one.scope)
    assert parse_lines(write_lines(settings)).settings == settings


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("echo 1 > /etc/passwd", "/etc/passwd is no setting that benchlab lends"),
        ("echo 1 > /proc/sys/kernel/core_pattern", "not among the kernel settings"),
        ("iosched/../scheduler = 1", "named like iosched/fifo_batch"),
        ("iosched/fifo_batch = many", "Write a whole number"),
        ("echo 3 > /proc/irq/24/smp_affinity", "numbers of interrupts change"),
        ("irq:* = 0", "Interrupts are named like"),
        ("irq:eth0* = all", "takes CPUs, such as"),
        ("[clients]\nirq:disks = spread", "Where it applies is one of"),
        ("rm -rf /", "it has no “name = value”"),
        ("[everywhere]", "a heading is one of"),
        ("[clients]\nscheduler = none", "Where it applies is one of"),
        ("echo 1 > /sys/block/sda/queue/write_cache", "There is no such setting"),
    ],
)
def test_skipped_lines_give_notes(line: str, why: str) -> None:
    reading = parse_lines(line)
    assert reading.settings == ()
    assert why in reading.problems[-1]


def test_one_setting_in_two_places_is_two() -> None:
    rows = [
        {"kind": "queue", "name": "scheduler", "value": "none"},
        {"kind": "queue", "name": "scheduler", "value": "none", "scope": "pool"},
    ]
    assert [one.key for one in canonical(rows)] == ["scheduler", "scheduler@pool"]
    with pytest.raises(SettingsError, match="Where it applies"):
        canonical([{"kind": "ceph", "name": "osd_max_backfills", "value": 1, "scope": "pool"}])

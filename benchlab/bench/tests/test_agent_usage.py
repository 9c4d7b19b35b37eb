"""CPU time of a process, from what the kernel prints."""

from __future__ import annotations

import os
import time
from pathlib import Path

from benchlab.bench.observer import cpu_note
from benchlab.bench.usage import AgentUsage, cpu_seconds, parent, stat_fields


def test_a_name_with_brackets_does_not_shift_the_fields() -> None:
    assert stat_fields("7 (a) b (c)) S 1 7 7")[:2] == ["S", "1"]


def test_this_process_has_used_cpu_and_has_its_parent() -> None:
    used, pid = cpu_seconds(os.getpid()), os.getpid()
    assert 0 < used <= time.process_time() + 60
    assert parent(pid) == os.getppid()


def test_what_a_process_used_before_the_first_look_is_not_counted() -> None:
    usage = AgentUsage(Path("/nowhere"), {1: 2.0, 2: 0.0}, {1: 2.5, 2: 0.25}, {2, 3})
    assert usage.total == 0.75
    assert usage.supervisor == 0.25


def test_the_share_is_said_with_its_aim() -> None:
    assert "supervisor 0.50% of one CPU (aim <= 1%, reached)" in cpu_note([(0.005, 0.01)])
    assert "missed" in cpu_note([(0.02, 0.03)])

"""The time a case takes and the bytes it writes, as far as that can be told."""

from __future__ import annotations

from dataclasses import replace

from apps.plans.domain.durations import CASE_OVERHEAD
from apps.plans.domain.preview import preview_of
from apps.plans.schemas.planned import Totals
from apps.plans.tests.factories import GIB, a_directory, a_disk, a_plan, a_step, plan_cases, tunings


def test_expected_seconds_hold_ramp_settle_and_overhead() -> None:
    (tuning,) = tunings("slow")
    plan = a_plan(a_step(ramp_time=5), tunings=(replace(tuning, settle_seconds=3.0),), repeats=1)
    (case,) = plan_cases(plan, seed=0)
    assert case.seconds == 10 + 5 + 3 + CASE_OVERHEAD


def test_read_writes_nothing_and_timed_write_has_unknown_bytes() -> None:
    plan = a_plan(a_step(rw="randread"), a_step(rw="randwrite"), repeats=1)
    read, write = plan_cases(plan, seed=0)
    assert (read.writes, read.bytes_written) == (False, 0)
    assert (write.writes, write.bytes_written) == (True, None)


def test_an_untimed_write_is_its_address_space() -> None:
    preview = preview_of(a_plan(a_step(rw="write", bs="1M", time_based=False), repeats=6))
    assert preview.bytes_written == 6 * GIB


def test_totals_are_sums_and_say_how_many_are_open_ended() -> None:
    plan = a_plan(a_step(rw="randread"), a_step(rw="randwrite"), repeats=3)
    preview = preview_of(plan)
    assert preview.bytes_written is None
    assert (preview.totals.cases, preview.totals.open_ended, preview.totals.writing) == (6, 3, 3)
    assert preview.seconds == sum(case.seconds for case in preview.cases)


def test_totals_by_target_add_up() -> None:
    plan = a_plan(a_step(rw="randread"), targets=(a_disk(), a_directory()), repeats=2)
    preview = preview_of(plan)
    rows = {target.kind: totals for target, totals in preview.by_target}
    assert rows["disk"].bytes_written == 0
    assert rows["directory"].bytes_written == 2 * GIB, "fio lays the file out before it reads it"
    assert sum(totals.seconds for totals in rows.values()) == preview.seconds
    assert not preview.writes_disks


def test_timed_write_is_estimated_at_a_speed() -> None:
    totals = Totals(bytes_written=1024, open_ended=2, timed_seconds=30.0)
    assert totals.bytes_at_1_gib == 1024 + 30 * 1024**3

"""What a launch costs each disk: bytes, drive writes and the part of the rated bytes."""

from __future__ import annotations

import pytest

from apps.accounts.models import User
from apps.inventory.models import CatalogueEntry
from apps.inventory.tests.factories import create_disk_model
from apps.plans.selectors.plans import plan_preview
from apps.plans.tests.factories import a_step, create_disk, create_plan

TB = 10**12
SIZE = 100 * 2**30


@pytest.mark.django_db
def test_wear_of_a_disk_that_a_plan_writes_to(owner: User) -> None:
    model, smart = create_disk_model("S4510"), {"smart": {"written": 35 * TB, "used": 1}}
    disk = create_disk(size=TB, model=model, facts=smart)
    CatalogueEntry.objects.create(pattern="S45*", source="sheet", rated_terabytes_written=100.0)
    fill = a_step(rw="write", bs="1M", size="100G", time_based=False)
    plan = create_plan(owner=owner, targets=[disk], steps=[fill], repeats=2)
    (one,) = plan_preview(plan).wear
    assert (one.bytes_written, one.depends_on_speed) == (2 * SIZE, False)
    assert one.drive_writes == pytest.approx(2 * SIZE / TB)
    assert one.rated_percent == pytest.approx(2 * SIZE / TB)
    assert one.written_percent == 35.0
    assert one.hours > 0


@pytest.mark.django_db
def test_reads_have_no_wear_and_timed_writes_are_estimated(owner: User) -> None:
    disk = create_disk(size=TB)
    reads = create_plan(owner=owner, targets=[disk], steps=[a_step(rw="randread")])
    assert plan_preview(reads).wear == ()
    writes = create_plan(owner=owner, targets=[disk], steps=[a_step(rw="randwrite", runtime=60)])
    (one,) = plan_preview(writes).wear
    assert one.depends_on_speed
    assert one.bytes_written >= 60 * 2**30
    assert (one.rated_percent, one.written_percent) == (None, None)

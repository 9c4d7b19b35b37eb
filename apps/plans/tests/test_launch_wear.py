"""What a launch costs each disk: bytes, drive writes and the part of the rated bytes."""

from __future__ import annotations

import pytest

from apps.accounts.models import User
from apps.inventory.models import CatalogueEntry, Host
from apps.inventory.tests.factories import create_disk, create_disk_model
from apps.plans.selectors.plans import plan_preview
from apps.runs.tests.factories import create_host, create_plan

TB = 10**12


@pytest.mark.django_db
@pytest.mark.parametrize("rw", ["write", "read"])
def test_wear_of_a_disk(owner: User, rw: str) -> None:
    host: Host = create_host()
    disk = create_disk(
        host=host,
        enrolled_by=owner,
        size=TB,
        model=create_disk_model("S4510"),
        facts={"smart": {"written": 35 * TB, "used": 1}},
    )
    CatalogueEntry.objects.create(pattern="S45*", source="sheet", rated_terabytes_written=100.0)
    params = {"rw": rw, "bs": "1M", "size": "100G"}
    wear = plan_preview(create_plan(owner=owner, target=disk, params=params, repeats=2)).wear
    if rw == "read":
        assert wear == ()
        return
    (one,) = wear
    assert one.bytes_written == 2 * 100 * 2**30
    assert one.drive_writes == pytest.approx(200 * 2**30 / TB)
    assert one.rated_percent == pytest.approx(100 * 200 * 2**30 / (100 * TB))
    assert (one.written_percent, one.depends_on_speed) == (35.0, False)
    assert one.hours > 0

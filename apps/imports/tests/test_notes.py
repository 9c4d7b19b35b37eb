"""The team's notes, each imported whole as one text, give the results that a reader finds."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.imports.domain.archives import ArchiveEntry
from apps.imports.models import FileState, Import
from apps.imports.schemas.points import PreviewPoint
from apps.imports.selectors.imports import stored_points
from apps.imports.services import import_store, import_update
from apps.imports.tests.factories import create_import
from apps.results.services.attempt_results import attempt_reparse
from apps.runs.models import Attempt

GIB = 1024**3
NOTES = Path(__file__).parent / "samples" / "notes"


def imported_note(user: User, number: str) -> Import:
    found = ArchiveEntry(f"{number}.txt", (NOTES / f"{number}.txt").read_bytes())
    return create_import(user, [found])


def points(imported: Import, tool: str) -> list[PreviewPoint]:
    rows = imported.files.filter(tool=tool, state=FileState.PARSED).order_by("number")
    return [point for row in rows for point in row.points]


def figure(point: PreviewPoint) -> tuple[str, float]:
    (whole,) = (each for each in point.measurements if not each.component)
    return whole.operation, whole.bandwidth or 0.0


def printed(found: list[PreviewPoint]) -> list[tuple[str, float]]:
    """Operations with their bandwidth in MiB/s, rounded."""
    figures = [figure(each) for each in found]
    return [(operation, round(speed / 1024**2, 2)) for operation, speed in figures]


def test_note_000_has_one_iperf_and_five_fio_results(owner: User) -> None:
    imported = imported_note(owner, "000")
    (network,) = points(imported, "iperf")
    # 2.00 GBytes in 10.0 s, printed as 1.72 Gbits/sec
    assert figure(network)[1] == pytest.approx(1.72e9 / 8, rel=0.01)
    found = points(imported, "fio")
    assert [each.measurements[0].iops for each in found] == pytest.approx(
        [2593, 2819, 22_300, 28, 35], rel=0.03
    )
    # The commands stand one line above each output.
    assert [each.params.get("direct") for each in found] == [True] * 5
    assert [each.params.get("size") for each in found] == [
        *(100 * GIB, GIB, GIB, 100 * GIB, 100 * GIB)
    ]
    assert [each.params.get("runtime") for each in found] == [600, 300, 300, 300, 300]
    assert [each.params.get("time_based") for each in found] == [True] * 3 + [False] * 2


def test_note_001_has_six_results_before_and_after_the_tuning(owner: User) -> None:
    imported = imported_note(owner, "001")
    found = points(imported, "rados")
    assert printed(found) == [
        *(("write", 83.32), ("seq", 509.54)),
        *(("write", 83.32), ("seq", 509.54), ("rand", 571.79)),
        *(("write", 88.88), ("seq", 500.87), ("rand", 529.95)),
    ]
    assert [each.same_as for each in found] == [None, None, 0, 1, None, None, None, None]
    (placed,) = stored_points(imported).values()
    assert [(each.names.tuning, each.repeat) for each in placed] == [
        *(("before", 1), ("before", 1), ("before", None), ("before", None), ("before", 1)),
        *[("after", 1)] * 3,
    ]


def test_note_001_stores_each_operation_alone_with_its_own_remarks(owner: User) -> None:
    done = import_store(imported=imported_note(owner, "001"), user=owner)
    assert done.run is not None
    attempts = Attempt.objects.filter(case__run=done.run).order_by("case__sequence")
    stored = [(each.case.run_tuning.name, each.measurements.get().operation) for each in attempts]
    assert stored == [
        *(("before", "write"), ("before", "seq"), ("before", "rand")),
        *(("after", "write"), ("after", "seq"), ("after", "rand")),
    ]
    remarks = [" ".join(each.warnings) for each in attempts]
    assert ["ran out of objects" in each for each in remarks] == [False, True, False] * 2


def test_note_001_with_keep_duplicates_counts_both_copies(owner: User) -> None:
    imported = imported_note(owner, "001")
    import_update(imported=imported, user=owner, names={}, files={1: {"keep_duplicates": True}})
    (placed,) = stored_points(imported).values()
    assert [each.repeat for each in placed] == [1, 1, 2, 2, 1, 1, 1, 1]


def test_note_002_assigns_each_recording_of_iostat_to_its_dd(owner: User) -> None:
    imported = imported_note(owner, "002")
    copies, recorded = points(imported, "dd"), points(imported, "iostat")
    assert [figure(each)[1] for each in copies] == pytest.approx(
        [1228800000 / 17.958, 2097152000 / 10.6663, 1342177280 / 7.51685]
    )
    assert [each.params["bs"] for each in copies] == [4096, 2 * 1024**2, 32 * 1024**2]
    assert [each.beside.label if each.beside else "" for each in recorded] == [
        f"dd {each.label}" for each in copies
    ]
    # Recordings beside two tests are no repeats of each other.
    assert len({each.key for each in recorded}) == 3
    # 134,358.40, 389,734.40 sectors of 512 bytes and 176,128 KiB a second
    written = [
        next(one.bandwidth for one in each.measurements if one.operation == "write")
        for each in recorded
    ]
    assert written == pytest.approx([134358.4 * 512, 389734.4 * 512, 176128 * 1024])


def test_note_003_has_one_line_of_a_result(owner: User) -> None:
    (point,) = points(imported_note(owner, "003"), "fio")
    assert figure(point) == ("write", 1024 * 1024**2)


def test_note_004_has_the_table_of_iozone(owner: User) -> None:
    found = points(imported_note(owner, "004"), "iozone")
    # 13 record sizes of 4 operations
    assert len(found) == 52


@pytest.mark.parametrize("number", ["000", "001", "002"])
def test_stored_results_of_a_note_are_found_again(owner: User, number: str) -> None:
    done = import_store(imported=imported_note(owner, number), user=owner)
    assert done.run is not None
    for attempt in Attempt.objects.filter(case__run=done.run):
        before = list(attempt.measurements.order_by("pk").values_list("operation", "bandwidth"))
        attempt_reparse(attempt=attempt)
        after = list(attempt.measurements.order_by("pk").values_list("operation", "bandwidth"))
        assert after == before


def test_pages_of_a_stored_note_show_recordings_with_their_tests(
    owner: User, owner_client: Client
) -> None:
    run = import_store(imported=imported_note(owner, "002"), user=owner).run
    assert run is not None
    for case in run.cases.all():
        assert owner_client.get(f"/cases/{case.pk}/").status_code == 200
    page = owner_client.get(f"/runs/{run.pk}/")
    assert page.status_code == 200
    assert page.content.decode().count("beside dd ") >= 3

"""Rows copied into tables are as Django would have written them, and read back the same."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import User
from apps.common.database.copying import jsonb, objects_copy, objects_update, rows_copy
from apps.imports.models import FileState, Import, ImportFile
from apps.imports.reading.found import FoundFigures, FoundPoint
from apps.results.models import Histogram
from apps.results.tests.factories import create_results
from apps.runs.models import Attempt
from apps.runs.tests.factories import create_attempt, create_run

FIGURES = FoundFigures("read", iops=0.1)
POINTS = (FoundPoint("a", "4 KiB", {"bs": 4096, "runtime": None}, measurements=(FIGURES,)),)

pytestmark = pytest.mark.django_db


@pytest.fixture
def imported(owner: User) -> Import:
    return Import.objects.create(owner=owner, name="results")


def file(imported: Import, number: int) -> ImportFile:
    return ImportFile(
        of=imported,
        number=number,
        path="día/µ.json",
        size=2**40,
        content=b"\0\xff",
        points=POINTS,
        keys=["a", "ü"],
        said={"nul": "a\0b", "surrogate": "a\ud800b", "large": 2**70, "nan": float("nan")},
        keep=False,
    )


def test_objects_read_back_as_they_were(imported: Import) -> None:
    rows = [file(imported, number) for number in (1, 2)]
    objects_copy(rows)
    first, second = ImportFile.objects.order_by("number")
    assert [first.pk, second.pk] == [row.pk for row in rows]
    assert (first.path, first.size, bytes(first.content)) == ("día/µ.json", 2**40, b"\0\xff")
    assert (first.points, first.keys) == (POINTS, ["a", "ü"])
    assert (first.nameless_keys, first.belongs_to, first.keep) == ([], None, False)


def test_what_cannot_be_stored_is_replaced(imported: Import) -> None:
    row = file(imported, 1)
    row.said = {"nul": "a\0b", "escaped": "\\u0000", "nan": float("nan")}
    objects_copy([row])
    row.refresh_from_db()
    assert row.said == {"nul": "a\ufffdb", "escaped": "\\u0000", "nan": None}
    row.said = {"surrogate": "a\ud800b", "large": 2**70, "inf": float("inf")}
    objects_update([row], ["said"])
    row.refresh_from_db()
    assert row.said == {"surrogate": "a\ufffdb", "large": 2**70, "inf": None}


def test_a_copied_object_may_be_saved_again(imported: Import) -> None:
    row = file(imported, 1)
    objects_copy([row])
    row.size, row.said = 3, {}
    row.save()
    assert ImportFile.objects.get().size == 3


def test_contracts_days_and_keys_of_their_own(owner: User) -> None:
    case = create_run(owner=owner).cases.get()
    new = Attempt(case=case, number=7, warnings=["careful"], silent_hosts=[3, 2**40])
    objects_copy([new])
    stored = Attempt.objects.get(pk=new.pk)
    assert (stored.number, list(stored.warnings), stored.silent_hosts) == (
        7,
        ["careful"],
        [3, 2**40],
    )
    assert stored.created_at == new.created_at
    assert stored.imported is None


def test_arrays_of_numbers(owner: User) -> None:
    attempt = create_attempt(create_run(owner=owner).cases.get())
    create_results(attempt)
    row = Histogram.objects.first()
    assert row is not None
    key = row.measurement_id
    row.delete()
    rows_copy(Histogram, ("measurement_id", "bins", "counts"), [(key, [-1, 2**62], (1, 0))])
    again = Histogram.objects.get()
    assert (again.bins, again.counts) == ([-1, 2**62], [1, 0])


def test_one_statement_updates_all(imported: Import) -> None:
    rows = [file(imported, number) for number in range(1, 6)]
    objects_copy(rows)
    for row in rows[1:]:
        row.state, row.keys, row.belongs_to = FileState.UNDERSTOOD, ["k"], rows[0]
    rows[1].path = "not named, so not written"
    with CaptureQueriesContext(connection) as asked:
        objects_update(rows, ("state", "keys", "belongs_to"))
    assert len(asked) == 1
    found = ImportFile.objects.order_by("number").values_list("state", "keys", "belongs_to", "path")
    assert list(found) == [
        (FileState.WAITING, ["a", "ü"], None, "día/µ.json"),
        *[(FileState.UNDERSTOOD, ["k"], rows[0].pk, "día/µ.json")] * 4,
    ]


def test_nothing_is_sent_without_rows() -> None:
    with CaptureQueriesContext(connection) as asked:
        objects_copy([])
        objects_update([], ("state",))
        rows_copy(Histogram, ("measurement_id", "bins", "counts"), iter(()))
    assert len(asked) == 0


def test_a_constraint_refuses_the_whole(imported: Import) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        objects_copy([file(imported, 1), file(imported, 1)])
    assert not ImportFile.objects.exists()


def test_what_replaces_is_valid_json() -> None:
    assert jsonb({"a": "\0"}) == b'\x01{"a":"\xef\xbf\xbd"}'

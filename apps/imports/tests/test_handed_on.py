"""The command parses each file once, and stores what it would have stored from a second reading."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from apps.accounts.models import User
from apps.imports.archives import Found
from apps.imports.folders import walked
from apps.imports.handed_on import HandedOn, handing_on
from apps.imports.reading import read_result
from apps.imports.services import import_store
from apps.imports.tests.factories import create_import, sample, team_files
from apps.results.models import Histogram, Measurement, SeriesChunk
from apps.runs.models import Run
from apps.tools.base import Output, Parsed
from apps.tools.registry import TOOLS

pytestmark = pytest.mark.django_db
FIGURES = ("operation", "part", "bandwidth", "iops", "latency_p99", "percentiles", "values")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("3.33--json+-two-targets", "3.33--json+-mixed-every-second"):
        (tmp_path / f"{name}.json").write_bytes(sample("fio", name))
    return tmp_path


def parsed_by(monkeypatch: pytest.MonkeyPatch) -> list[Output]:
    """Every output that fio's room reads from now on."""
    seen: list[Output] = []
    room = TOOLS["fio"]

    def parse(output: Output) -> Parsed:
        seen.append(output)
        return room.parse(output)

    class Counting:
        def __getattr__(self, name: str) -> Any:
            return parse if name == "parse" else getattr(room, name)

    rooms: Any = TOOLS
    monkeypatch.setitem(rooms, "fio", Counting())
    return seen


def stored(run: Run) -> list[Any]:
    """Everything that was measured in a run."""
    rows = Measurement.objects.filter(case__run=run).order_by("case__position", "pk")
    shapes = Histogram.objects.filter(measurement__in=rows).order_by("measurement")
    chunks = SeriesChunk.objects.filter(series__attempt__case__run=run).order_by("pk")
    return [
        list(rows.values(*FIGURES)),
        list(shapes.values_list("bins", "counts")),
        [bytes(values) for values in chunks.values_list("values", flat=True)],
    ]


def test_the_command_parses_once_and_stores_the_same(
    admin: User, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = parsed_by(monkeypatch)
    call_command("import", str(folder), verbosity=0)
    assert len(seen) == 2
    first = Run.objects.get()
    kept = stored(first)
    first.delete()
    found = [each for each in walked([folder], 1 << 30) if isinstance(each, Found)]
    imported = create_import(admin, found)
    run = import_store(imported=imported, user=admin, at_once=True).run
    assert run is not None
    assert len(seen) == 6
    assert stored(run) == kept


def test_what_is_too_much_is_read_again(owner: User) -> None:
    with handing_on():
        imported = create_import(owner, team_files())
    rows = list(imported.files.order_by("number"))
    small = HandedOn(most=rows[0].size)
    found = read_result({"stdout": team_files()[0].data})
    small.keep(rows[:1], found)
    small.keep(rows[1:2], found)
    assert (small.take(rows[:1]), small.take(rows[1:2])) == (found, None)
    assert small.take(rows[:1]) is None

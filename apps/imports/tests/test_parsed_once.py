"""The command parses each file once, and stores what it would have stored from a second reading."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from apps.accounts.models import User
from apps.common.database.storable import cleaned
from apps.imports.archives import FoundInArchive
from apps.imports.models import ImportMeasurement
from apps.imports.reading import readers
from apps.imports.reading.packed import packed, unpacked
from apps.imports.reading.result import ResultRead, read_result
from apps.imports.sending.folders import walked
from apps.imports.services import import_store
from apps.imports.tests.factories import create_import, sample, team_files
from apps.imports.tests.test_split_texts import NOTE
from apps.results.models import Histogram, Measurement, SeriesChunk
from apps.runs.models import Run
from apps.tools.base import Measurement as Measured
from apps.tools.base import Output, Parsed
from apps.tools.registry import BUILT_IN, TOOLS

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


def found_in(folder: Path) -> list[FoundInArchive]:
    return [each for each in walked([folder], 1 << 30) if isinstance(each, FoundInArchive)]


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
    read = len(seen)
    first = Run.objects.get()
    kept = stored(first)
    first.delete()
    imported = create_import(admin, found_in(folder), dry_run=True)
    imported.dry_run = False
    imported.save()
    run = import_store(imported=imported, user=admin, at_once=True).run
    assert run is not None
    assert (read, len(seen)) == (2, 6)
    assert stored(run) == kept


def test_what_a_request_read_is_not_read_again(
    owner: User, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = parsed_by(monkeypatch)
    imported = create_import(owner, found_in(folder))
    read = len(seen)
    assert ImportMeasurement.objects.count() == 2
    assert import_store(imported=imported, user=owner, at_once=True).run is not None
    assert len(seen) == read
    assert not ImportMeasurement.objects.exists()


def test_another_parser_reads_again(
    owner: User, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    imported = create_import(owner, found_in(folder))
    first, second = ImportMeasurement.objects.order_by("pk")
    ImportMeasurement.objects.filter(pk=first.pk).update(parser_version=first.parser_version + 1)
    ImportMeasurement.objects.filter(pk=second.pk).update(content=b"another release's")
    seen = parsed_by(monkeypatch)
    run = import_store(imported=imported, user=owner, at_once=True).run
    assert (len(seen), run is not None) == (2, True)


def test_a_dry_run_keeps_nothing(owner: User, folder: Path) -> None:
    create_import(owner, found_in(folder), dry_run=True)
    assert not ImportMeasurement.objects.exists()


@pytest.mark.parametrize("tool", sorted(BUILT_IN))
def test_every_sample_is_the_same_after_packing(tool: str) -> None:
    folders = (Path(__file__).parents[2] / "tools" / tool / "tests" / "samples").iterdir()
    read = [read_result({"stdout": sample(tool, folder.name)}) for folder in folders]
    understood = [each for each in read if each.parsed is not None]
    assert understood
    for each in understood:
        data = packed(each)
        assert data is not None
        again = unpacked(data)
        assert again is not None
        assert (again.tool, again.warnings, again.version) == (
            each.tool, each.warnings, each.version
        )  # fmt: skip
        assert as_stored(again) == as_stored(each)


def as_stored(reading: ResultRead) -> list[object]:
    """The parts of a reading that storing looks at."""
    return [
        (*replace(point, measurements=()).__dict__.values(), *map(_measured, point.measurements))
        for point in reading.points
    ]


def _measured(found: Measured) -> object:
    series = [replace(each, values=tuple(each.values)) for each in found.series]
    plain = json.dumps(cleaned(found.values))
    return replace(found, values={}, series=series), plain


def test_what_msgpack_cannot_say_is_parsed_again() -> None:
    reading = read_result({"stdout": sample("fio", "3.33--json+-mixed-every-second")})
    assert reading.parsed is not None
    large = replace(reading.parsed.measurements[0], values={"beyond": 2**70})
    parsed = replace(reading.parsed, measurements=(large,))
    assert packed(replace(reading, parsed=parsed, points=[])) is None


def test_other_processes_read_the_same(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """Small files one by one; logs with what they belong to, and texts of several tools, here."""
    monkeypatch.setattr(readers, "FEWEST", 1)
    files = [
        *team_files(),
        FoundInArchive("two.txt", NOTE),
        FoundInArchive("no.txt", b"nothing of any tool"),
    ]
    there = create_import(owner, files, forks=True)
    rows = ("number", "path", "state", "tool", "keys", "points", "warnings", "refusal", "role")
    found = list(there.files.order_by("number").values_list(*rows))
    there.delete()
    here = create_import(owner, files)
    assert found == list(here.files.order_by("number").values_list(*rows))

"""Small files are read by other processes; what is stored is what the preview showed."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from apps.accounts.models import User
from apps.imports.domain.archives import ArchiveEntry
from apps.imports.models import FileState, Import
from apps.imports.services import import_store, processes, read
from apps.imports.tests.factories import create_import, sample, team_files
from apps.imports.tests.test_split_texts import NOTE
from apps.results.models import Histogram, Measurement, SeriesChunk
from apps.runs.models import Run
from apps.tools.split_output.splitter import OutputSection, split

pytestmark = pytest.mark.django_db
FIGURES = ("operation", "component", "bandwidth", "iops", "latency_p99", "percentiles", "values")
ROWS = ("number", "path", "state", "tool", "keys", "points", "warnings", "parse_error", "role")
NAMES = ("3.33--json+-mixed-every-second", "3.33--json+-two-targets")
FILES = [ArchiveEntry(f"{name}.json", sample("fio", name)) for name in NAMES]
DEADLY = b"the process that reads this dies"


@pytest.fixture(autouse=True)
def _few_files_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read, "MIN_FORKED_RESULTS", 1)
    monkeypatch.setattr(processes, "CHUNK", 2)


def rows(imported: Import) -> list[tuple[object, ...]]:
    return list(imported.files.order_by("number").values_list(*ROWS))


def stored(run: Run) -> list[Any]:
    """Everything that was measured in a run."""
    found = Measurement.objects.filter(case__run=run).order_by("case__sequence", "pk")
    shapes = Histogram.objects.filter(measurement__in=found).order_by("measurement")
    chunks = SeriesChunk.objects.filter(series__attempt__case__run=run).order_by("pk")
    return [
        list(found.values(*FIGURES)),
        list(shapes.values_list("bins", "counts")),
        [bytes(values) for values in chunks.values_list("values", flat=True)],
    ]


def test_command_and_request_store_the_same(admin: User, tmp_path: Path) -> None:
    for file in FILES:
        (tmp_path / file.path).write_bytes(file.data)
    call_command("import", str(tmp_path), verbosity=0)
    first = Run.objects.get()
    by_command = stored(first)
    assert by_command[1]
    first.delete()
    run = import_store(imported=create_import(admin, FILES), user=admin).run
    assert run is not None
    assert stored(run) == by_command


def test_stored_cases_are_those_of_the_preview(owner: User) -> None:
    imported = create_import(owner, FILES, forks=True)
    shown = [
        (point.key, figures.iops, figures.latency_mean)
        for row in imported.files.order_by("number")
        for point in row.points
        for figures in point.measurements
        if not figures.component
    ]
    run = import_store(imported=imported, user=owner, at_once=True).run
    found = Measurement.objects.filter(case__run=run, component="").order_by("case__sequence", "pk")
    assert list(found.values_list("case__workload__key", "iops", "latency_mean")) == shown


def test_other_processes_read_the_same(owner: User) -> None:
    """Logs with what they belong to, and texts of several tools, are read here."""
    files = [
        *team_files(),
        ArchiveEntry("two.txt", NOTE),
        ArchiveEntry("no.txt", b"nothing of any tool"),
    ]
    there = create_import(owner, files, forks=True)
    found = rows(there)
    there.delete()
    assert found == rows(create_import(owner, files))


def test_killed_process_refuses_only_its_file(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    def pieces_or_death(data: bytes) -> tuple[OutputSection, ...]:
        if data == DEADLY:
            os.kill(os.getpid(), signal.SIGKILL)
        return tuple(split(data))

    monkeypatch.setattr(processes, "split", pieces_or_death)
    first, *others = team_files()
    files = [first, ArchiveEntry("deadly.txt", DEADLY), *others]
    imported = create_import(owner, files, forks=True)
    refused = imported.files.exclude(state=FileState.PARSED).get()
    assert (refused.path, refused.state, refused.selected) == (
        "deadly.txt",
        FileState.FAILED,
        False,
    )
    assert refused.parse_error

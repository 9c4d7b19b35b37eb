"""A note with outputs of several tools is split; nothing is dropped or invented."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client

from apps.accounts.models import User
from apps.imports.domain.archives import ArchiveEntry
from apps.imports.models import FileState, Import
from apps.imports.selectors.content import content_of
from apps.imports.selectors.imports import import_counts
from apps.imports.services import import_store
from apps.imports.tests.factories import TOOLS, create_import, sample
from apps.results.services.attempt_results import attempt_reparse
from apps.runs.models import Attempt, Run
from apps.tools.parse_cli import main

PREFACE = b"Node 7, cloud disk of 1 TB, SLA: 6000 IOPS, 170MB/s\n\n"
NOTE = b"".join(
    [
        PREFACE,
        sample("fio", "3.1--randread-4k-qd128"),
        b"\nThen the network:\n",
        sample("iperf", "2.x--team-tcp-10s"),
        b"\n",
        sample("dd", "8.x--shell-session-32m"),
    ]
)


def split_note(user: User, data: bytes = NOTE) -> Import:
    return create_import(user, [ArchiveEntry("day.txt", data)])


def test_each_tools_lines_are_a_file_of_their_own(owner: User) -> None:
    imported = split_note(owner)
    whole, *pieces = imported.files.order_by("number")
    assert (whole.state, whole.selected, content_of(whole)) == (FileState.SPLIT, False, NOTE)
    assert "results of fio, iperf3 and iperf 2, dd" in whole.parse_error
    assert "Lines 1 to 2 belong to no tool." in whole.parse_error
    assert [each.tool for each in pieces] == ["fio", "iperf", "dd"]
    assert [each.path for each in pieces] == [
        *("day.txt (fio, 3-39)", "day.txt (iperf, 40-52)", "day.txt (dd, 53-58)"),
    ]
    assert {each.split_from for each in pieces} == {whole}
    counts = import_counts(imported)
    assert (counts["parsed"], counts["split"], counts["failed"]) == (3, 1, 0)
    lines = NOTE.split(b"\n")
    assert content_of(pieces[2]) == b"\n".join(lines[52:58]) + b"\n"


def test_each_becomes_a_case_and_is_read_again(owner: User) -> None:
    done = import_store(imported=split_note(owner), user=owner)
    assert done.run is not None
    cases = done.run.cases.order_by("sequence")
    assert [case.tool for case in cases] == ["fio", "iperf", "dd"]
    attempt = Attempt.objects.get(case=cases[2])
    attempt_reparse(attempt=attempt)
    found = attempt.measurements.get()
    # 1342177280 bytes (1.3 GB) copied, 7.51685 s
    assert (found.operation, found.bandwidth) == ("write", 1342177280 / 7.51685)
    whole = done.files.get(number=1)
    assert content_of(whole) == NOTE


CALLS = TOOLS / "fio" / "tests" / "calls"
TWO_CALLS = (CALLS / "one.json").read_bytes() + (CALLS / "pid.txt").read_bytes()
ONE_CALL = (CALLS / "json-and-text.txt").read_bytes()


def test_json_and_text_of_one_tool_are_results_of_their_own(owner: User) -> None:
    imported = split_note(owner, TWO_CALLS)
    whole, *pieces = imported.files.order_by("number")
    assert whole.state == FileState.SPLIT
    assert [(each.tool, each.format) for each in pieces] == [("fio", "json"), ("fio", "text")]
    done = import_store(imported=imported, user=owner)
    assert done.run is not None
    for attempt in Attempt.objects.filter(case__run=done.run):
        before = attempt.measurements.get().iops
        attempt_reparse(attempt=attempt)
        assert attempt.measurements.get().iops == before


def test_what_one_call_printed_twice_is_stored_once(owner: User) -> None:
    imported = split_note(owner, ONE_CALL)
    row = imported.files.get()
    assert (row.state, row.format, row.completeness) == (FileState.PARSED, "json", "whole")
    assert "repeat results of fio" in row.warnings[-1]
    done = import_store(imported=imported, user=owner)
    assert done.run is not None
    assert done.run.case_count == 1


def test_where_the_text_tells_more_than_the_json_it_is_read(owner: User) -> None:
    """fio 2.1 and others print JSON without a word of the options."""
    data = re.sub(rb'(?s)"(global|job) options" : \{[^}]*\},', b"", ONE_CALL)
    imported = split_note(owner, data)
    whole, piece = imported.files.order_by("number")
    assert (whole.state, piece.format, piece.state) == (
        *(FileState.SPLIT, "text", FileState.PARSED),
    )
    assert "Lines 6–287" in whole.parse_error
    assert [point.params["bs"] for point in piece.points] == [4096]


def test_the_same_note_again_is_known(owner: User) -> None:
    import_store(imported=split_note(owner), user=owner)
    again = split_note(owner)
    assert import_counts(again)["duplicates"] == 3
    assert import_counts(again)["selected"] == 0


def test_a_note_of_a_service_level_is_no_result(owner: User) -> None:
    row = split_note(owner, PREFACE + b"We bought it.\n").files.get()
    assert (row.state, row.tool) == (FileState.FAILED, "")


def test_lines_of_another_tool_without_a_result_are_reported(owner: User) -> None:
    listening = b"# iperf -s\nServer listening on TCP port 5001\n"
    row = split_note(owner, sample("fio", "3.1--randread-4k-qd128") + listening).files.get()
    assert (row.state, row.tool) == (FileState.PARSED, "fio")
    assert "look like output of iperf3 and iperf 2" in row.warnings[-1]


def test_the_pages_show_which_lines_are_whose(owner_client: Client, owner: User) -> None:
    imported = split_note(owner)
    page = owner_client.get(f"/imports/{imported.pk}/").content.decode()
    assert "lines 53-58 of day.txt" in page
    assert "Lines 1 to 2 belong to no tool." in page
    whole = owner_client.get(f"/imports/{imported.pk}/files/1/").content.decode()
    assert "What it was split into" in whole
    piece = owner_client.get(f"/imports/{imported.pk}/files/3/").content.decode()
    assert "Then the network" not in piece  # it stands among fio's lines
    fio = owner_client.get(f"/imports/{imported.pk}/files/2/").content.decode()
    assert "Then the network" in fio.partition("Unused lines")[2]


def test_the_command_takes_it_too(admin: User, tmp_path: Path) -> None:
    file = tmp_path / "day.txt"
    file.write_bytes(NOTE)
    call_command("import", str(file))
    assert Run.objects.get().case_count == 3


def test_parse_prints_every_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "day.txt"
    file.write_bytes(NOTE)
    assert main([str(file)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [each["tool"] for each in found["documents"]] == ["fio", "iperf", "dd"]
    assert [each["lines"] for each in found["documents"]] == [[[3, 39]], [[40, 52]], [[53, 58]]]
    assert (found["unclaimed"], found["warnings"]) == ([[1, 2]], [])
    assert main(["dd", str(file)]) == 0
    one = json.loads(capsys.readouterr().out)
    assert one["tool"] == "dd"
    assert len(one["measurements"]) == 1
    assert "Lines 40–52" in one["warnings"][1]


def test_unparsed_results_of_a_bundled_file_are_reported(owner: User) -> None:
    """With its logs beside it, a file is one result of fio: the whole output."""
    log = b"".join(b"%d, 100, 0, 4096, 0\n" % moment for moment in range(1000, 4000, 1000))
    files = [ArchiveEntry("one.json", TWO_CALLS), ArchiveEntry("one_bw.1.log", log)]
    row = create_import(owner, files).files.get(path="one.json")
    assert (row.state, row.format) == (FileState.PARSED, "json")
    assert "hold results of fio too" in row.warnings[-1]

"""Each command against a real server."""

from __future__ import annotations

import io
import json
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from apps.accounts.models import User
from apps.analysis.tests.compare.factories import PARAMS, Setup, create_measured_run
from apps.bookings.models import Booking
from apps.inventory.models import Host
from apps.reports.services import ReportDraft, SectionDraft, report_create
from apps.runs.models import Run, RunState
from apps.runs.tests.factories import (
    create_disk,
    create_host,
    create_plan,
    create_run,
    end_run,
)
from client.tests.conftest import Command

DD = b"1228800000 bytes (1.2 GB) copied, 17.958 s, 68.4 MB/s\n"


@pytest.fixture
def host(admin: User) -> Host:
    return create_host(name="node7")


@pytest.fixture
def plan(host: Host, admin: User) -> int:
    disk = create_disk(host=host, owner=admin)
    return create_plan(owner=admin, target=disk, name="Elevators").pk


@pytest.fixture
def measured(admin: User) -> Run:
    return create_measured_run(Setup(owner=admin, gains={"Scheduler none": 1.2}))


def test_what_is_there(benchlab: Command, host: Host, plan: int, tmp_path: Path) -> None:
    lists(benchlab, plan)
    launch_by_name_queue_cancel_wait(benchlab, plan)
    book(benchlab)
    wrong_usage(benchlab)


def lists(benchlab: Command, plan: int) -> None:
    done = benchlab("hosts")
    assert done.code == 0
    assert done.out.splitlines()[0].split() == [
        "ID",
        "NAME",
        "ADDRESS",
        "HEALTH",
        "CHECKED",
        "TAGS",
    ]
    assert "node7" in done.out
    assert [row["name"] for row in benchlab("hosts", "--json").json] == ["node7"]
    assert benchlab("hosts", "other", "--json").json == []
    assert benchlab("plans", "Elev", "--json").json[0]["id"] == plan
    assert "Elevators" in benchlab("plans").out


def launch_by_name_queue_cancel_wait(benchlab: Command, plan: int) -> None:
    done = benchlab("launch", "Elevators", "--note", "nightly", "--key", "job-1")
    assert done.code == 0, done.err
    run = Run.objects.get()
    assert done.out.strip() == str(run.pk)
    assert run.note == "nightly"
    again = benchlab("launch", plan, "--note", "nightly", "--key", "job-1", "--json")
    assert again.json["id"] == run.pk
    queue = benchlab("queue", "--json").json
    assert [row["run"] for row in queue["runs"]] == [run.pk]
    assert str(run.pk) in benchlab("queue").out
    late = benchlab("wait", run.pk, "--timeout", "0.01")
    assert late.code == 7
    assert f"benchlab wait {run.pk}" in late.err
    assert benchlab("cancel", run.pk).code == 0
    ended = benchlab("wait", run.pk, "--json")
    assert ended.code == 6
    assert ended.json["state"] == "cancelled"
    unknown = benchlab("launch", "Elevator")
    assert unknown.code == 2
    assert "Elevators" in unknown.err


def watch_prints_failed_cases(benchlab: Command, admin: User) -> None:
    run = create_run(owner=admin, target=create_disk(host=create_host(), owner=admin))
    run.cases.update(state="failed", reason="The disk is gone.")
    end_run(run, RunState.FAILED, "One case failed.")
    done = benchlab("watch", run.pk)
    assert done.code == 6
    assert "The disk is gone." in done.out
    lines = benchlab("watch", run.pk, "--json").out.splitlines()
    assert [json.loads(line)["state"] for line in lines] == ["failed"]


def test_what_was_measured(benchlab: Command, measured: Run, admin: User, tmp_path: Path) -> None:
    wait_of_a_succeeded_run_is_zero(benchlab, measured)
    compare(benchlab, measured, admin)
    export(benchlab, measured, tmp_path)
    report(benchlab, admin, measured, tmp_path)
    watch_prints_failed_cases(benchlab, admin)


def wait_of_a_succeeded_run_is_zero(benchlab: Command, measured: Run) -> None:
    done = benchlab("wait", measured.pk)
    assert done.code == 0
    assert f"/runs/{measured.pk}/" in done.out


def compare(benchlab: Command, measured: Run, admin: User) -> None:
    done = benchlab("compare", "--run", measured.pk)
    answer = benchlab("compare", "--run", measured.pk, "--json").json
    assert done.code == 0, done.err
    for line in [*answer["headline"], *answer["summary"]]:
        assert line["text"] in done.out
    assert f"/compare/?{answer['query']}" in done.err
    empty = create_run(owner=admin, target=create_disk(host=create_host(), owner=admin))
    assert benchlab("compare", "--run", empty.pk).code == 6
    other = create_measured_run(Setup(owner=admin, points=[PARAMS | {"bs": 8192}]))
    apart = benchlab("compare", "--run", measured.pk, "--run", other.pk, "--factor", "run")
    assert apart.code in (5, 6), apart.out
    assert benchlab("compare").code == 2
    wrong = benchlab("compare", "--run", measured.pk, "--metric", "speed")
    assert wrong.code == 2
    assert "metric" in wrong.err


def export(benchlab: Command, measured: Run, tmp_path: Path) -> None:
    folder = tmp_path / "exported"
    folder.mkdir()
    rows = benchlab("export", "--run", measured.pk, "--json").out.splitlines()
    assert len(rows) == 12
    assert benchlab("export", "--run", measured.pk).out.startswith("id,run,case,")
    file = folder / "all.parquet"
    done = benchlab("export", "--run", measured.pk, "-o", file, "--json")
    assert done.json["bytes"] == file.stat().st_size
    assert pq.read_table(file).num_rows == 12
    assert benchlab("export", "--run", measured.pk, "-o", folder / "no" / "x.csv").code == 2
    refused = benchlab("export", "--tuning", 99, "-o", folder / "x.csv")
    assert refused.code == 2
    assert sorted(one.name for one in folder.iterdir()) == ["all.parquet"]


def test_import(benchlab: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "old results"
    folder.mkdir()
    (folder / "dd before.txt").write_bytes(DD)
    dry = benchlab("import", folder, "--dry-run", "--json")
    assert dry.code == 0, dry.err
    assert dry.json["files"][0]["path"] == "old results/dd before.txt"
    assert not Run.objects.exists()
    done = benchlab("import", folder, "--host", "node7", "--target", "vdb", "--store")
    assert done.code == 0, done.err
    run = Run.objects.get()
    assert f"/runs/{run.pk}/" in done.err
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"nothing at all\n")))
    assert benchlab("import", "-").code == 6
    assert benchlab("import", tmp_path / "absent").code == 2


def report(benchlab: Command, admin: User, measured: Run, tmp_path: Path) -> None:
    section = SectionDraft(view="compare", query=f"run={measured.pk}")
    report = report_create(user=admin, draft=ReportDraft("Scheduler", sections=[section]))
    assert "Scheduler" in benchlab("report").out
    assert benchlab("report", "--title", "none", "--json").json == []
    assert benchlab("report", report.pk).out.startswith("# Scheduler")
    assert benchlab("report", report.pk, "--json").json["title"] == "Scheduler"
    file = tmp_path / "report.xlsx"
    assert benchlab("report", report.pk, "-o", file).code == 0
    assert file.read_bytes().startswith(b"PK")
    missing = benchlab("report", 999, "-o", tmp_path / "x.pdf")
    assert missing.code == 1
    assert not (tmp_path / "x.pdf").exists()


def book(benchlab: Command) -> None:
    begin = datetime.now(UTC) + timedelta(days=1)
    words = ["node7", "--from", begin.isoformat(), "--hours", 2, "--reason", "kernel test"]
    done = benchlab("book", *words, "--json")
    assert done.code == 0, done.err
    booking = Booking.objects.get()
    assert booking.ends_at - booking.starts_at == timedelta(hours=2)
    clash = benchlab("book", *words)
    assert clash.code == 1
    assert "admin" in clash.err
    assert "kernel test" in benchlab("book", "--list", "node7").out
    assert benchlab("book", "--end", booking.pk, "--json").json["state"] == "ended"
    words = ["node7", "--next-free", "--hours", 2, "--reason", "kernel test"]
    request = benchlab("book", *words, "--json").json
    assert request["hours"] == 2
    assert f"Requested booking {request['id']}: node7 for 2 h" in benchlab("queue").err
    assert benchlab("book", *words, "--to", begin.isoformat()).code == 2
    assert benchlab("book", "node7", "--next-free", "--reason", "x").code == 2
    assert benchlab("book", "node9", *words[1:]).code == 2
    assert benchlab("book", "node7").code == 2


def test_login_stores_a_token_that_works(
    benchlab: Command, server: str, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("BENCHLAB_TOKEN")
    monkeypatch.delenv("BENCHLAB_URL")
    assert benchlab("hosts").code in (1, 4)
    monkeypatch.setattr(sys, "stdin", io.StringIO("wrong\n"))
    assert benchlab("login", "--url", server).code == 4
    assert benchlab("hosts", "--url", server).code == 4
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{token}\n"))
    assert benchlab("login", "--url", f"{server}/", "--json").json["url"] == server
    assert benchlab("hosts").code == 0


def wrong_usage(benchlab: Command) -> None:
    assert benchlab("hosts", "--no-such-option").code == 2
    assert benchlab("wait", "seven").code == 2
    assert benchlab("launch", "1", "--timeout", "5").code == 2
    assert benchlab("wait", "1", "--timeout", "nan").code == 2
    absent = benchlab("hosts", "--url", "http://127.0.0.1:9")
    assert absent.code == 1
    assert "127.0.0.1:9" in absent.err
    assert benchlab("hosts", "--url", "nonsense").code == 2
    assert benchlab("wait", "999").code == 1

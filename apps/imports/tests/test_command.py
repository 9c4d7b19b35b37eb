"""`manage.py import`: files and folders, a preview as a table, exit codes."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from apps.accounts.models import User
from apps.imports.models import Import
from apps.imports.tests.factories import team_files, zipped
from apps.runs.models import Run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    top = tmp_path / "notes"
    (top / "sub").mkdir(parents=True)
    for found in team_files():
        (top / "sub" / found.path).write_bytes(found.data)
    (top / "readme.txt").write_text("what we did that day\n")
    (top / "link.txt").symlink_to("/etc/hostname")
    return top


def run_command(*arguments: object) -> tuple[str, str]:
    out, error = io.StringIO(), io.StringIO()
    call_command("import", *map(str, arguments), stdout=out, stderr=error)
    return out.getvalue(), error.getvalue()


def test_a_folder_becomes_a_run(admin: User, folder: Path) -> None:
    out, error = run_command(folder, "--host", "ceph-1", "--target", "pool test")
    run = Run.objects.get()
    assert f"Stored as run {run.pk}: 6 cases." in out
    assert "6 files understood, 1 not, 1 left out" in out
    assert (run.name, run.owner, run.case_count) == ("rados bench, 6 results: notes/", admin, 6)
    assert "notes/readme.txt: No tool recognises it" in error
    assert "notes/link.txt: It is a link" in error
    assert {case.tuning_name for case in run.cases.all()} == {"before", "after"}


def test_the_table_says_what_each_file_is(admin: User, folder: Path) -> None:
    out, _error = run_command(folder, "--dry-run")
    line = next(line for line in out.splitlines() if "write_before" in line)
    for words in ("rados bench", "write 83.32 MiB/s, 20.83 IOPS", "unnamed-host", "before"):
        assert words in line
    assert not Import.objects.exists()
    assert not Run.objects.exists()


def test_import_command_counts_a_repeated_output_once_without_keep_duplicates(
    admin: User, tmp_path: Path
) -> None:
    file = tmp_path / "twice.txt"
    file.write_bytes(team_files()[0].data * 2)
    _out, error = run_command(file, "--dry-run")
    assert "are the same output; counted once" in error
    run_command(file, "--keep-duplicates")
    assert Run.objects.get().case_count == 2


def test_nothing_understood_is_exit_2(admin: User, folder: Path) -> None:
    with pytest.raises(SystemExit) as ended:
        run_command(folder / "readme.txt")
    assert ended.value.code == 2
    assert not Run.objects.exists()


def test_what_is_not_there_is_exit_2(admin: User) -> None:
    with pytest.raises(SystemExit) as ended:
        run_command("/no/such/file")
    assert ended.value.code == 2


def test_the_second_time_there_is_nothing_new(admin: User, folder: Path) -> None:
    run_command(folder)
    out, error = run_command(folder)
    assert "Nothing new" in out
    assert "The same bytes are in run" in error
    assert Run.objects.count() == 1


def test_an_archive_and_another_user(admin: User, operator: User, tmp_path: Path) -> None:
    archive = tmp_path / "old.zip"
    archive.write_bytes(zipped({found.path: found.data for found in team_files()}))
    run_command(archive, "--user", operator.username, "--tuning", "none", "--name", "zip")
    run = Run.objects.get()
    assert (run.owner, run.name) == (operator, "zip")


def test_users_who_may_not_and_who_are_not(viewer: User, folder: Path) -> None:
    with pytest.raises(CommandError, match="no admin"):
        run_command(folder)
    with pytest.raises(SystemExit):
        run_command(folder, "--user", viewer.username)

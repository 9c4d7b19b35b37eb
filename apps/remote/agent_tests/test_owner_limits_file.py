"""The owner's file: what cannot be obeyed, or could be changed by others, refuses everything."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from apps.remote.agent_tests.client import Client
from apps.remote.agent_tests.owner import Write, folder, guarded, refusal, write

__all__ = ["folder", "guarded", "write"]

pytestmark = pytest.mark.needs_root


def test_without_a_file_nothing_is_limited(guarded: Client) -> None:
    assert guarded.run(["true"])["exit"]["codes"] == [0]
    facts = guarded.good("facts")["facts"]["owner_limits"]
    assert facts == {"limits": None, "error": "", "is_stopped": False, "allowed_disks": None}


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        ("", "is no JSON"),
        ("{", "is no JSON"),
        ("[" * 60_000, "is no JSON"),
        ('{"tools": ["fio"], "tools": ["*"]}', "a key is there twice"),
        ("\udcff", "is no JSON"),
        ("[]", "is not an object"),
        ({"tool": ["fio"]}, "unknown limit 'tool'"),
        ({"tools": "fio"}, "tools in"),
        ({"tools": [1]}, "a list of names"),
        ({"disks": [""]}, "a list of names"),
        ({"seconds": 0}, "a number above 0"),
        ({"seconds": True}, "a number above 0"),
        ({"seconds": None}, "a number above 0"),
        ('{"seconds": NaN}', "a number above 0"),
        ({"bytes_a_day": 1.5}, "a whole number"),
        ({"bytes_a_day": -1}, "a whole number"),
        ({"hours": {"from": "22:00", "to": "06:00"}}, "from, to and zone"),
        ({"hours": {"from": "24:00", "to": "06:00", "zone": "UTC"}}, "times such as 22:00"),
        ({"hours": {"from": "06:00", "to": "06:00", "zone": "UTC"}}, "two different times"),
        ({"hours": {"from": "06:00", "to": "07:00", "zone": "Mars/Base"}}, "in a time zone"),
        ({"hours": {"from": "06:00", "to": "07:00", "zone": "../../etc/passwd"}}, "in a time zone"),
        ({"note": 7}, "a text"),
        ({"note": "x" * 501}, "a text"),
        ('{"note": "' + "x" * 70_000 + '"}', "larger than"),
    ],
)
def test_a_file_that_cannot_be_obeyed_refuses_everything(
    guarded: Client, folder: Path, document: Any, sentence: str
) -> None:
    data = document if isinstance(document, str) else json.dumps(document)
    (folder / "limits.json").write_bytes(data.encode("utf-8", "surrogateescape"))
    assert sentence in refusal(guarded)
    assert guarded.ask("install", package="fio")["error"] == "refused"
    assert sentence in guarded.good("facts")["facts"]["owner_limits"]["error"]


def test_a_file_of_a_wrong_owner_refuses_everything(
    guarded: Client, folder: Path, write: Write
) -> None:
    write({})
    file = folder / "limits.json"
    assert guarded.run(["true"])["state"] == "done"
    os.chown(file, 4242, 0)
    assert "must be root's" in refusal(guarded)
    os.chown(file, 0, 0)
    for path, mode in ((file, 0o664), (file, 0o646), (folder, 0o777)):
        before = path.stat().st_mode
        path.chmod(mode)
        assert "writable by root only" in refusal(guarded)
        path.chmod(before)
    assert guarded.run(["true"])["state"] == "done"
    file.rename(folder / "real.json")
    file.symlink_to(folder / "real.json")
    assert "cannot be read" in refusal(guarded)
    file.unlink()
    os.mkfifo(file)
    assert "must be root's" in refusal(guarded)


def test_a_folder_that_others_may_change_refuses_everything_without_a_file(
    guarded: Client, folder: Path
) -> None:
    assert guarded.run(["true"])["state"] == "done"
    for mode in (0o775, 0o757):
        folder.chmod(mode)
        assert "writable by root only" in refusal(guarded)
    folder.chmod(0o755)
    os.chown(folder, 4242, 0)
    assert "must be root's" in refusal(guarded)
    folder.rename(folder.with_name("away"))
    assert guarded.run(["true"])["state"] == "done"
    folder.symlink_to("not-mounted")
    assert "cannot be read" in refusal(guarded)
    folder.unlink()
    folder.write_text("no folder")
    assert "must be root's" in refusal(guarded)

"""Absurd values in results are stored, refused with a sentence, or left out; they break nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest

from apps.accounts.models import User
from apps.imports.domain.archives import ArchiveEntry
from apps.imports.services import import_store
from apps.imports.tests.factories import create_import

HUGE, LONG, NUL = 10**30, "x" * 5000, "a\0b"
SIDE: dict[str, object] = {"total_ios": 100, "iops": 10.0, "bw_bytes": 40960, "runtime": 10000}


def document(
    job: dict[str, object] | None = None, version: str = "fio-3.33", **fields: Any
) -> bytes:
    side = SIDE | {name: v for name, v in (job or {}).items() if name not in ("jobname", "options")}
    one = {
        "jobname": (job or {}).get("jobname", "a"),
        "job options": (job or {}).get("options", {"rw": "read"}),
        "read": side,
    }
    return json.dumps({"fio version": version, "jobs": [one]} | fields).encode()


HOSTILE = {
    "nul in a disk's name": document(disk_util=[{"name": NUL, "util": 1.0}]),
    "nul in a job's name": document({"jobname": NUL}),
    "nul in an option": document({"options": {"rw": NUL, "ioengine": NUL, "thinktime": NUL}}),
    "nul in the version": document(version=NUL),
    "long texts": document({"jobname": LONG, "options": {LONG: LONG, "thinktime": LONG}}),
    "long version": document(version=LONG),
    "infinite": document({"iops": float("inf"), "bw_bytes": float("inf")}),
    "no numbers": document({"iops": float("nan"), "bw_bytes": float("nan"), "runtime": "x"}),
    "huge integers": document(
        {"total_ios": HUGE, "iops": HUGE, "bw_bytes": HUGE, "io_bytes": HUGE}
    ),
    "huger integers": document({"total_ios": 10**400, "iops": 1.0, "bw_bytes": 10**400}),
    "huge counts": document({"clat_ns": {"mean": 1, "N": HUGE, "bins": {"100": HUGE, "200": 1}}}),
    "huge bins": document({"clat_ns": {"mean": 1, "N": 1, "bins": {str(HUGE): 1}}}),
    "odd percentiles": document({"clat_ns": {"percentile": {NUL: 1, "1e400": 2, "99.0": HUGE}}}),
    "infinite disks": document(disk_util=[{"name": "a", "util": float("inf"), "read_ios": HUGE}]),
    "surrogates": document({"jobname": "\ud800", "options": {"thinktime": "\udfff"}}),
    "negative": document({"iops": -1, "bw_bytes": -5, "total_ios": -1, "runtime": -7}),
    "huge group": document(jobs=[{"jobname": "a", "groupid": HUGE, "read": SIDE}]),
}


@pytest.mark.parametrize("which", HOSTILE)
def test_an_absurd_value_breaks_nothing(owner: User, which: str) -> None:
    good = document({"options": {"rw": "randread"}})
    imported = create_import(
        owner, [ArchiveEntry("a.json", HOSTILE[which]), ArchiveEntry("b.json", good)]
    )
    assert imported.state == "read"
    refused = imported.files.get(path="a.json").parse_error
    assert "the log has the cause" not in refused
    stored = import_store(imported=imported, user=owner)
    assert stored.state == "stored"
    assert stored.run is not None
    assert stored.run.case_count == (1 if refused else 2)

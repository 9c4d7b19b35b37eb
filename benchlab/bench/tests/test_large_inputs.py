"""Contents of the rows of large inputs."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np

from benchlab.bench.fio_log import HEAD, rows_file
from benchlab.bench.json_plus import repeated

DOCUMENT = b"""{
  "fio version" : "fio-3.33",
  "jobs" : [
    {
      "jobname" : "a"
    },
    {
      "jobname" : "b"
    }
  ],
  "disk_util" : [
  ]
}
"""


def test_repeated_jobs_are_a_document_again() -> None:
    data = repeated(DOCUMENT, 1_000)
    assert len(data) >= 1_000
    names = [job["jobname"] for job in json.loads(data)["jobs"]]
    assert names[:4] == ["a", "b", "a", "b"]
    assert len(names) % 2 == 0


def test_rows_are_in_the_binary_format_of_copy(tmp_path: Path) -> None:
    path = tmp_path / "rows"
    rows_file(path, np.array([7, 8], np.int64))
    data = path.read_bytes()
    assert data.startswith(HEAD)
    assert data.endswith(b"\xff\xff")
    second = data[len(HEAD) + 26 : -2]
    assert struct.unpack(">hiiiiif", second) == (3, 4, 1, 4, 1, 4, 8 * 1024.0)

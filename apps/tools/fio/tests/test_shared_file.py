"""Whether imported jobs shared a file."""

from __future__ import annotations

import pytest

from apps.tools.fio.parser.documents.job_group import stated_of


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"filename": "/data01/test", "numjobs": "16"}, True),
        ({"filename": "/data01/test", "numjobs": "1"}, None),
        ({"filename": "/data01/test"}, None),
        ({"filename": "/dev/sdb", "numjobs": "16"}, None),
        ({"filename": "/data01/a:/data01/b", "numjobs": "16"}, None),
        ({"directory": "/data01", "numjobs": "16"}, None),
    ],
)
def test_imported_jobs_with_one_file_share_it(
    options: dict[str, str], expected: bool | None
) -> None:
    job: dict[str, object] = {
        "jobname": "x",
        "job options": {"name": "x", "rw": "randwrite"} | options,
    }
    stated = stated_of([job], [job], {"jobs": [job]}, targets={})
    assert stated.params.get("shared_file") is expected

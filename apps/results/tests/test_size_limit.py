"""A file that is too large for a worker is kept, and not read."""

from __future__ import annotations

import pytest

from apps.accounts.models import User
from apps.results.services.parse import attempt_parse
from apps.runs.services import artifacts
from apps.runs.services.artifacts import (
    artifact_bytes,
    artifact_of,
    attempt_files,
    bytes_to_read,
    too_large,
)
from apps.runs.tests.factories import create_attempt, create_run
from apps.tools.errors import OutputError


@pytest.mark.django_db
def test_large_file_is_stored_but_not_parsed(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(artifacts, "MOST_READ", 100)
    attempt = create_attempt(create_run(owner=owner).cases.get())
    artifact_of(attempt, "stdout", b"x" * 101).save()
    artifact_of(attempt, "stderr", b"x" * 100).save()
    assert dict(attempt_files(attempt)) == {"stderr": b"x" * 100}
    assert (too_large(attempt), bytes_to_read(attempt)) == (["stdout"], 100)
    assert artifact_bytes(attempt.artifacts.get(name="stdout")) == b"x" * 101
    with pytest.raises(OutputError, match="stdout is stored and was not read"):
        attempt_parse(attempt, attempt_files(attempt))

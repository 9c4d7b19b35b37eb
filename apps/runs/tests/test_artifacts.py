"""Raw files come back byte for byte."""

from __future__ import annotations

import hashlib

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.runs.models import Attempt
from apps.runs.services.artifacts import artifact_bytes, artifact_of, attempt_files, attempt_stderr
from apps.runs.tests.factories import create_attempt, create_run

CONTENTS = {
    "empty": b"",
    "zeros": b"\0" * 100_000,
    "every-byte": bytes(range(256)) * 9,
    "windows.txt": b"\xef\xbb\xbfa\r\nb\r\n\x1a",
    "not-utf-8": b"\xff\xfe\xfa",
}


@pytest.fixture
def attempt(owner: User) -> Attempt:
    attempt = create_attempt(create_run(owner=owner).cases.get())
    for name, content in CONTENTS.items():
        artifact_of(attempt, name, content).save()
    return attempt


def test_files_come_back_as_they_were(attempt: Attempt) -> None:
    assert dict(attempt_files(attempt)) == CONTENTS


@pytest.mark.parametrize("name", CONTENTS)
def test_size_and_hash_are_of_the_bytes_themselves(name: str, attempt: Attempt) -> None:
    row = attempt.artifacts.get(name=name)
    assert row.size == len(CONTENTS[name])
    assert row.sha256 == hashlib.sha256(artifact_bytes(row)).hexdigest()


@pytest.mark.parametrize("name", CONTENTS)
def test_the_download_is_the_bytes_and_never_shown(
    name: str, attempt: Attempt, viewer_client: Client
) -> None:
    address = reverse("artifact_download", args=[attempt.case_id, attempt.number, name])
    answer = viewer_client.get(address)
    assert answer.getvalue() == CONTENTS[name]
    assert answer.headers["Content-Length"] == str(len(CONTENTS[name]))
    assert answer.headers["Content-Type"] == "application/octet-stream"
    assert answer.headers["Content-Disposition"].startswith("attachment")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("name", ['a"; filename="evil.html', "bericht-\u00fc\ufffd.log"])
def test_a_name_cannot_change_how_it_is_downloaded(
    name: str, attempt: Attempt, viewer_client: Client
) -> None:
    artifact_of(attempt, name, b"x").save()
    address = reverse("artifact_download", args=[attempt.case_id, attempt.number, name])
    said = viewer_client.get(address).headers["Content-Disposition"]
    assert said.startswith("attachment; filename")
    assert 'filename="evil.html' not in said.replace('\\"', "")


def test_what_is_not_there_is_not_found(attempt: Attempt, viewer_client: Client) -> None:
    for number, name in ((1, "other"), (2, "zeros")):
        address = reverse("artifact_download", args=[attempt.case_id, number, name])
        assert viewer_client.get(address).status_code == 404


def test_nobody_downloads_without_a_login(attempt: Attempt, client: Client) -> None:
    address = reverse("artifact_download", args=[attempt.case_id, 1, "zeros"])
    assert client.get(address).status_code == 302


def test_stderr_on_the_page_is_its_end(attempt: Attempt) -> None:
    assert attempt_stderr(attempt) == ""
    artifact_of(attempt, "stderr", b"x" * 100 + b"the end\xff").save()
    assert attempt_stderr(attempt, most=8) == "the end\N{REPLACEMENT CHARACTER}"

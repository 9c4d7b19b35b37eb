"""Downloads are sent in pieces: a large file is never held whole."""

from __future__ import annotations

import random
import tracemalloc

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.blobs.domain.compression import BlobDamaged
from apps.blobs.models import BlobContent
from apps.common.web.downloads import PIECE
from apps.runs.models import Artifact, Attempt
from apps.runs.services.artifacts import artifact_of, artifact_pieces
from apps.runs.tests.factories import create_attempt, create_run

MIB = 1 << 20
NOISE = random.Random(7).randbytes(3 * MIB + 5)
ZEROS = bytes(48 * MIB)


@pytest.fixture
def attempt(owner: User) -> Attempt:
    return create_attempt(create_run(owner=owner).cases.get())


def stored(attempt: Attempt, content: bytes, name: str = "result.json") -> str:
    """The address of a file with this content."""
    artifact_of(attempt, name, content).save()
    return reverse("artifact_download", args=[attempt.case_id, attempt.number, name])


def test_what_does_not_fit_into_one_piece_comes_whole(
    attempt: Attempt, viewer_client: Client
) -> None:
    answer = viewer_client.get(stored(attempt, NOISE))
    pieces = list(answer)
    assert b"".join(pieces) == NOISE
    assert len(pieces) > 3
    assert max(map(len, pieces)) <= PIECE


def test_a_file_that_packs_well_is_not_unpacked_at_once(
    attempt: Attempt, viewer_client: Client
) -> None:
    """48 MiB of zeros are 47 KiB when packed."""
    address = stored(attempt, ZEROS)
    tracemalloc.start()
    try:
        size = sum(map(len, viewer_client.get(address)))
        _now, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert size == len(ZEROS)
    assert most < 16 * MIB


def test_bytes_deleted_before_they_are_read_raise_damaged(attempt: Attempt) -> None:
    stored(attempt, NOISE)
    pieces = artifact_pieces(Artifact.objects.get())
    BlobContent.objects.all().delete()
    with pytest.raises(BlobDamaged):
        list(pieces)


def test_a_file_of_a_host_may_have_the_longest_names(
    attempt: Attempt, viewer_client: Client
) -> None:
    address = stored(attempt, b"x", f"{'h' * 64}/{'f' * 255}")
    assert viewer_client.get(address).getvalue() == b"x"

"""Files are packed on their way into the database, and come back as they were."""

from __future__ import annotations

import hashlib
import random
import tracemalloc
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from apps.accounts.models import User
from apps.runs.models import Attempt
from apps.runs.storage import packing
from apps.runs.storage.artifacts import artifacts_replace, attempt_files
from apps.runs.storage.encodings import Damaged, compressed, unpacked, whole
from apps.runs.storage.packing import Packing, Spool, TooLarge, joined, packed
from apps.runs.tests.factories import create_attempt, create_run

NOISE = random.Random(1).randbytes(3_000_000)
TEXT = b"".join(b"%d, %d, 0, 4096\n" % (n, n * n % 7919) for n in range(250_000))
FILES = {"stdout": NOISE + b"\0" * 5_000_000, "stderr": b"", "r\N{MICRO SIGN}.json": b"{}"}


@pytest.fixture
def spool() -> Iterator[Spool]:
    with Spool() as spool:
        yield spool


@pytest.fixture
def attempt(owner: User) -> Attempt:
    return create_attempt(create_run(owner=owner).cases.get())


def test_pieces_from_several_files_at_once_stay_apart(spool: Spool) -> None:
    one, other = Packing(spool), Packing(spool)
    for begin in range(0, len(NOISE), 100_000):
        one.take(NOISE[begin : begin + 100_000])
        other.take(NOISE[begin : begin + 50_000])
    file, half = one.done(), other.done()
    assert b"".join(file.unpacked()) == NOISE
    assert (file.size, file.sha256) == (len(NOISE), hashlib.sha256(NOISE).hexdigest())
    assert half.size == len(NOISE) // 2
    assert b"".join(half.unpacked()) == b"".join(
        NOISE[begin : begin + 50_000] for begin in range(0, len(NOISE), 100_000)
    )


def test_no_piece_is_large_however_well_it_was_packed(spool: Spool) -> None:
    file = packed(spool, b"\0" * 50_000_000)
    assert file.packed < 100_000
    sizes = [len(piece) for piece in file.unpacked()]
    assert sum(sizes) == 50_000_000
    assert max(sizes) <= packing.PIECE
    assert max(len(piece) for piece in packed(spool, NOISE).pieces()) <= packing.PIECE


def test_files_follow_one_another(spool: Spool) -> None:
    file = joined([packed(spool, b"made\n"), packed(spool, b""), packed(spool, b"wrote")], spool)
    assert b"".join(file.unpacked()) == b"made\nwrote"
    assert file.sha256 == hashlib.sha256(b"made\nwrote").hexdigest()


def test_a_file_too_large_for_the_database_is_refused(
    spool: Spool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packing, "MOST_PACKED", 2 << 20)
    with pytest.raises(TooLarge, match="2 MiB when packed"):
        packed(spool, NOISE)


def test_packed_bytes_that_end_early_are_an_error(spool: Spool) -> None:
    whole = b"".join(packed(spool, NOISE).pieces())
    for cut in (len(whole) - 10, len(whole) // 2, 5, 0):
        with pytest.raises(Damaged):
            list(unpacked([whole[:cut]], len(NOISE)))


def test_packed_bytes_that_changed_are_an_error(spool: Spool) -> None:
    whole = bytearray(b"".join(packed(spool, TEXT).pieces()))
    whole[len(whole) // 2] ^= 1
    with pytest.raises(Damaged):
        list(unpacked([bytes(whole)], len(TEXT)))


@pytest.mark.parametrize("size", [0, 1, packing.SMALL, packing.SMALL + 1, 3_000_000])
def test_small_and_large_files_are_packed_alike(spool: Spool, size: int) -> None:
    pieces = [TEXT[begin : begin + 10_000] for begin in range(0, size, 10_000)]
    packer = Packing(spool)
    for piece in pieces:
        packer.take(piece[: size - packer.size])
    file = packer.done()
    assert b"".join(file.unpacked()) == TEXT[:size]
    assert file.sha256 == hashlib.sha256(TEXT[:size]).hexdigest()


@pytest.mark.django_db
def test_the_database_keeps_them_byte_for_byte(spool: Spool, attempt: Attempt) -> None:
    artifacts_replace(attempt, {name: packed(spool, data) for name, data in FILES.items()})
    assert dict(attempt_files(attempt)) == FILES
    for row in attempt.artifacts.all():
        assert row.size == len(FILES[row.name])
        assert row.sha256 == hashlib.sha256(FILES[row.name]).hexdigest()
        assert abs(row.created_at - timezone.now()) < timedelta(minutes=5)


@pytest.mark.django_db
def test_nothing_is_kept_of_files_that_cannot_be_read_to_their_end(attempt: Attempt) -> None:
    with Spool() as spool:
        files = {"a": packed(spool, b"small"), "b": packed(spool, NOISE)}
    with pytest.raises(ValueError, match="closed"), transaction.atomic():
        artifacts_replace(attempt, files)
    assert not attempt.artifacts.exists()


def test_a_whole_file_is_in_memory_once() -> None:
    size = 16 << 20
    kept = compressed(bytes(size))
    tracemalloc.start()
    try:
        assert len(whole(unpacked([kept], size))) == size
        assert tracemalloc.get_traced_memory()[1] < 1.5 * size
    finally:
        tracemalloc.stop()

"""Files are compressed on their way into the database, and come back as they were."""

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
from apps.blobs.domain.compression import BlobDamaged, compress, decompress, join_pieces
from apps.blobs.services import spool as spool_module
from apps.blobs.services.spool import (
    PIECE_BYTES,
    SMALL_FILE_BYTES,
    CompressedTooLarge,
    FileCompressor,
    SpoolFile,
    compress_into,
    concatenate,
)
from apps.runs.models import Attempt
from apps.runs.services.artifacts import artifacts_replace, attempt_files
from apps.runs.tests.factories import create_attempt, create_run

NOISE = random.Random(1).randbytes(3_000_000)
TEXT = b"".join(b"%d, %d, 0, 4096\n" % (n, n * n % 7919) for n in range(250_000))
FILES = {"stdout": NOISE + b"\0" * 5_000_000, "stderr": b"", "r\N{MICRO SIGN}.json": b"{}"}


@pytest.fixture
def spool() -> Iterator[SpoolFile]:
    with SpoolFile() as spool:
        yield spool


@pytest.fixture
def attempt(owner: User) -> Attempt:
    return create_attempt(create_run(owner=owner).cases.get())


def test_interleaved_files_are_stored_separately(spool: SpoolFile) -> None:
    one, other = FileCompressor(spool), FileCompressor(spool)
    for begin in range(0, len(NOISE), 100_000):
        one.write(NOISE[begin : begin + 100_000])
        other.write(NOISE[begin : begin + 50_000])
    file, half = one.finish(), other.finish()
    assert b"".join(file.decompress()) == NOISE
    assert (file.size_bytes, file.sha256) == (len(NOISE), hashlib.sha256(NOISE).hexdigest())
    assert half.size_bytes == len(NOISE) // 2
    assert b"".join(half.decompress()) == b"".join(
        NOISE[begin : begin + 50_000] for begin in range(0, len(NOISE), 100_000)
    )


def test_no_piece_is_large_however_well_it_was_packed(spool: SpoolFile) -> None:
    file = compress_into(spool, b"\0" * 50_000_000)
    assert file.compressed_bytes < 100_000
    sizes = [len(piece) for piece in file.decompress()]
    assert sum(sizes) == 50_000_000
    assert max(sizes) <= PIECE_BYTES
    assert max(len(piece) for piece in compress_into(spool, NOISE).pieces()) <= PIECE_BYTES


def test_files_follow_one_another(spool: SpoolFile) -> None:
    file = concatenate(
        [
            compress_into(spool, b"made\n"),
            compress_into(spool, b""),
            compress_into(spool, b"wrote"),
        ],
        spool,
    )
    assert b"".join(file.decompress()) == b"made\nwrote"
    assert file.sha256 == hashlib.sha256(b"made\nwrote").hexdigest()


def test_a_file_too_large_for_the_database_is_refused(
    spool: SpoolFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spool_module, "MAX_COMPRESSED_BYTES", 2 << 20)
    with pytest.raises(CompressedTooLarge, match="2 MiB compressed"):
        compress_into(spool, NOISE)


def test_packed_bytes_that_end_early_are_an_error(spool: SpoolFile) -> None:
    stored = b"".join(compress_into(spool, NOISE).pieces())
    for cut in (len(stored) - 10, len(stored) // 2, 5, 0):
        with pytest.raises(BlobDamaged):
            list(decompress([stored[:cut]], len(NOISE)))


def test_packed_bytes_that_changed_are_an_error(spool: SpoolFile) -> None:
    stored = bytearray(b"".join(compress_into(spool, TEXT).pieces()))
    stored[len(stored) // 2] ^= 1
    with pytest.raises(BlobDamaged):
        list(decompress([bytes(stored)], len(TEXT)))


@pytest.mark.parametrize("size", [0, 1, SMALL_FILE_BYTES, SMALL_FILE_BYTES + 1, 3_000_000])
def test_small_and_large_files_are_packed_alike(spool: SpoolFile, size: int) -> None:
    pieces = [TEXT[begin : begin + 10_000] for begin in range(0, size, 10_000)]
    compressor = FileCompressor(spool)
    for piece in pieces:
        compressor.write(piece[: size - compressor.size_bytes])
    file = compressor.finish()
    assert b"".join(file.decompress()) == TEXT[:size]
    assert file.sha256 == hashlib.sha256(TEXT[:size]).hexdigest()


@pytest.mark.django_db
def test_the_database_keeps_them_byte_for_byte(spool: SpoolFile, attempt: Attempt) -> None:
    artifacts_replace(attempt, {name: compress_into(spool, data) for name, data in FILES.items()})
    assert dict(attempt_files(attempt)) == FILES
    for row in attempt.artifacts.all():
        assert row.size == len(FILES[row.name])
        assert row.sha256 == hashlib.sha256(FILES[row.name]).hexdigest()
        assert abs(row.created_at - timezone.now()) < timedelta(minutes=5)


@pytest.mark.django_db
def test_unreadable_file_leaves_no_content(attempt: Attempt) -> None:
    with SpoolFile() as spool:
        files = {"a": compress_into(spool, b"small"), "b": compress_into(spool, NOISE)}
    with pytest.raises(ValueError, match="closed"), transaction.atomic():
        artifacts_replace(attempt, files)
    assert not attempt.artifacts.exists()


def test_a_whole_file_is_in_memory_once() -> None:
    size = 16 << 20
    kept = compress(bytes(size))
    tracemalloc.start()
    try:
        assert len(join_pieces(decompress([kept], size))) == size
        assert tracemalloc.get_traced_memory()[1] < 1.5 * size
    finally:
        tracemalloc.stop()

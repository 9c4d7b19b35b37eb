"""Texts that repeat themselves are kept as differences, and every text is the same again."""

from __future__ import annotations

import io
import json
import random
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st

from apps.accounts.models import User
from apps.runs.models import Blob, BlobContent
from apps.runs.storage.artifacts import artifact_of, attempt_files
from apps.runs.storage.differences import differences, text_of
from apps.runs.storage.encodings import ZDIFF, ZSTD, Damaged, compressed, unpacked
from apps.runs.tests.factories import create_attempt, create_run

SAMPLES = Path(__file__).parents[2] / "tools"
RESULTS = sorted(SAMPLES.glob("*/tests/samples/*/*"))
# What lines of documents are made of, and what would break them.
PARTS = (
    *(
        b"{\n",
        b"}\n",
        b"},\n",
        b"[",
        b"]",
        b"\n",
        b"\r\n",
        b"\\",
        b" ",
        b"\x00",
        b"\xff",
        b"=",
        b"!",
    ),
    *(b'"a" : 1,\n', b'"a" : 2,\n', b'"a" : 02,\n', b'"a" : -1\n', b'"b" : 1.5,\n', b'"b":"x"\n'),
    *(b'"jobs" : [\n', b'"bins" : {\n', b"a line\n", b'"a" : 99999999999999999999\n', b'"a" : ,\n'),
)


def again(text: bytes, piece: int = 1 << 16) -> bytes:
    pieces = [text[begin : begin + piece] for begin in range(0, len(text), piece)]
    return b"".join(text_of(io.BytesIO(b"".join(differences(pieces))).read))


@given(st.lists(st.sampled_from(PARTS) | st.binary(max_size=6), max_size=60), st.integers(1, 99))
def test_any_text_is_the_same_again(parts: list[bytes], piece: int) -> None:
    text = b"".join(parts)
    assert again(text, piece) == text


@pytest.mark.parametrize("path", RESULTS, ids=lambda path: f"{path.parts[-5]}-{path.parent.name}")
def test_every_output_of_every_tool_is_the_same_again(path: Path) -> None:
    text = path.read_bytes()
    assert again(text) == text


def documents(number: int) -> bytes:
    """Cumulative status documents as fio prints them, from a fixed beginning."""
    dice = random.Random(1)
    bins: dict[str, int] = {}
    found = []
    for at in range(number):
        for _ in range(900):
            key = str(1_000 + int(abs(dice.gauss(0, 60))))
            bins[key] = bins.get(key, 0) + 1
        job = {"read": {"iops": dice.random(), "bins": dict(sorted(bins.items()))}}
        found.append(json.dumps({"time": at, "jobs": [job, job]}, indent=2))
    return "\n".join(found).encode()


def test_status_documents_take_less(owner: User) -> None:
    attempt = create_attempt(create_run(owner=owner).cases.get())
    files = {"result.json": documents(60), "stdout": bytes(random.Random(2).randbytes(100_000))}
    for name, content in files.items():
        artifact_of(attempt, name, content).save()
    before = dict(Blob.objects.values_list("sha256", "packed"))
    assert "would look at 2 files" in told("pack")
    assert "1 of 2 files take" in told("pack", "--do", "--days", "1")
    (packed,) = Blob.objects.filter(encoding=ZDIFF)
    assert packed.packed < 0.6 * before[packed.sha256]
    assert packed.packed == len(BlobContent.objects.get(pk=packed.pk).content)
    assert dict(attempt_files(attempt)) == files
    assert "2 files read, 0 are not" in told("check")
    assert "0 of 1 files take 0.0 MB less" in told("pack", "--do")


def test_what_is_not_what_it_was_stays_and_is_told(owner: User) -> None:
    attempt = create_attempt(create_run(owner=owner).cases.get())
    artifact_of(attempt, "result.json", documents(30)).save()
    Blob.objects.update(sha256="0" * 64)
    with pytest.raises(CommandError, match="1 files could not be packed"):
        told("pack", "--do")
    assert Blob.objects.get().encoding == ZSTD


@pytest.mark.parametrize(
    "blocks", [b"\x00", b"\x00\x00\x00\x01\x00\x00\x00\x00=", b"\x00" * 7 + b"!"]
)
def test_other_bytes_are_damaged(blocks: bytes) -> None:
    with pytest.raises(Damaged):
        list(unpacked([compressed(blocks)], 5, ZDIFF))


def told(*words: str) -> str:
    out = StringIO()
    call_command("artifacts", *words, stdout=out, stderr=out)
    return out.getvalue()

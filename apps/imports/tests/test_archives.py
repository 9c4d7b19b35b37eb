"""Archives are opened in memory, within bounds, and nothing leads out of them."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import resource
import struct
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from apps.imports.domain.archives import (
    ArchiveBudget,
    ArchiveEntry,
    ImportTooLarge,
    LargeFile,
    SkippedEntry,
    archive_kind,
    inflate,
    tars,
    unpacked,
)
from apps.imports.domain.limits import MAX_FILES
from apps.imports.tests.factories import tarred, zipped
from apps.tools import registry

FILES = {"runs/one.txt": b"first " * 500, "two.txt": b"second", "empty.txt": b""}
MIB = 1024**2
SAMPLES = Path(registry.__file__).parent / "iozone" / "tests" / "samples"


def opened(path: str, data: bytes, most: int = 64 * MIB) -> list[ArchiveEntry | SkippedEntry]:
    """Files of at most 16 MiB are held whole (test_large_members.py has the others)."""
    found = list(unpacked(path, data, ArchiveBudget(most)))
    return [each for each in found if not isinstance(each, LargeFile)]


def contents(found: list[ArchiveEntry | SkippedEntry]) -> dict[str, bytes]:
    return {each.path: each.data for each in found if isinstance(each, ArchiveEntry)}


def sentences(found: list[ArchiveEntry | SkippedEntry]) -> dict[str, str]:
    return {each.path: each.sentence for each in found if isinstance(each, SkippedEntry)}


@pytest.mark.parametrize("mode", ["", "gz", "bz2", "xz"])
def test_a_tar_gives_its_files_with_their_paths(mode: str) -> None:
    data = tarred(FILES, mode)
    assert archive_kind(data) == (mode or "tar")
    assert contents(opened("all.tar", data)) == FILES


@pytest.mark.parametrize("packing", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA])
def test_a_zip_gives_its_files_with_their_paths(packing: int) -> None:
    assert contents(opened("all.zip", zipped(FILES, packing))) == FILES


@pytest.mark.parametrize(
    ("name", "pack"),
    [("a.log.gz", gzip.compress), ("a.bz2", bz2.compress), ("a.xz", lzma.compress)],
)
def test_one_packed_file_has_its_name_without_the_ending(name: str, pack: object) -> None:
    assert callable(pack)
    (found,) = opened(name, pack(b"text\n" * 1000))
    assert isinstance(found, ArchiveEntry)
    assert (found.path, found.archive) == (name.rsplit(".", 1)[0], name)
    assert found.data == b"text\n" * 1000


def test_several_gzip_streams_in_one_file_are_one_content() -> None:
    data = gzip.compress(b"one ") + gzip.compress(b"two") + b"\0" * 512
    assert contents(opened("a.gz", data)) == {"a": b"one two"}


def test_archive_kind_follows_the_content() -> None:
    assert archive_kind(b"fio-3.33") == ""
    assert archive_kind(b"") == ""
    assert archive_kind(b"7z\xbc\xaf\x27\x1c\0\4") == "7-Zip"
    said = sentences(opened("a.zst", b"\x28\xb5\x2f\xfd" + bytes(20)))
    assert said == {"a.zst": "zstd archives are not opened: send a zip or a tar.gz."}


@pytest.mark.parametrize(
    "name", ["/etc/passwd", "../out.txt", "a/../../out", "C:\\x.txt", "..\\x", "d/" * 40 + "x"]
)
def test_a_name_that_leads_elsewhere_is_left_out(name: str) -> None:
    for data in (zipped({name: b"x", "good.txt": b"y"}), tarred({name: b"x", "good.txt": b"y"})):
        found = opened("a", data)
        assert contents(found) == {"good.txt": b"y"}
        assert "leads out" in next(iter(sentences(found).values()))


def test_links_and_devices_are_left_out() -> None:
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w:gz") as archive:
        for name, kind in (("soft", tarfile.SYMTYPE), ("hard", tarfile.LNKTYPE),
                           ("null", tarfile.CHRTYPE), ("pipe", tarfile.FIFOTYPE)):  # fmt: skip
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "/etc/shadow"
            archive.addfile(info)
    assert set(sentences(opened("a.tgz", content.getvalue()))) == {"soft", "hard", "null", "pipe"}


def test_a_link_in_a_zip_is_left_out() -> None:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        info = zipfile.ZipInfo("link")
        info.external_attr = 0o120777 << 16
        archive.writestr(info, "/etc/shadow")
    assert "link or a device" in sentences(opened("a.zip", content.getvalue()))["link"]


def test_a_tar_of_the_present_folder_has_plain_paths() -> None:
    assert contents(opened("a.tgz", tarred({"./runs/a.txt": b"x"}))) == {"runs/a.txt": b"x"}


def test_what_systems_leave_in_folders_is_not_mentioned() -> None:
    files = {"__MACOSX/._a": b"x", ".git/config": b"x", "sub/.DS_Store": b"x", "a": b"x"}
    assert [each.path for each in opened("a.zip", zipped(files))] == ["a"]


BOMBS: dict[str, Callable[[bytes], bytes]] = {
    "zip": lambda zeros: zipped({"zeros": zeros}),
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "tar.gz": lambda zeros: tarred({"zeros": zeros}),
    "tar.xz": lambda zeros: tarred({"zeros": zeros}, "xz"),
}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("kind", BOMBS)
def test_a_bomb_is_refused_long_before_it_is_unpacked(kind: str) -> None:
    data = BOMBS[kind](bytes(24 * MIB))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(ImportTooLarge) as refused:
        opened(f"bomb.{kind}", data, most=1024 * MIB)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert refused.value.status == 413
    assert "times its size" in refused.value.message
    assert grown < 64 * 1024  # KiB


def test_more_bytes_than_allowed_are_refused_also_when_they_do_not_pack() -> None:
    files = {f"{number}.bin": bytes(range(256)) * 4096 for number in range(3)}
    with pytest.raises(ImportTooLarge, match="unpacked"):
        opened("a.zip", zipped(files, zipfile.ZIP_STORED), most=2 * MIB)


def test_more_files_than_allowed_are_refused_before_they_are_listed() -> None:
    many = dict.fromkeys((str(number) for number in range(MAX_FILES + 1)), b"")
    for data in (zipped(many), tarred(many)):
        with pytest.raises(ImportTooLarge, match="files"):
            opened("a", data)


def test_folders_and_hidden_files_are_counted_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tars, "MAX_MEMBERS", 100)
    for name in ("d", ".hidden"):
        many = tarred({f"{name}/.{number}": b"" for number in range(102)})
        with pytest.raises(ImportTooLarge, match="files"):
            opened("a", many)


def test_an_archive_that_holds_itself_is_opened_once() -> None:
    inner = zipped({"again.zip": zipped({"a": b"x"})})
    (found,) = opened("quine.zip", inner)
    assert isinstance(found, ArchiveEntry)
    assert archive_kind(found.data) == "zip"


WHOLE = {
    "zip": zipped(FILES),
    "tar.gz": tarred(FILES),
    "tar.xz": tarred(FILES, "xz"),
    "tar": tarred(FILES, ""),
    "gz": gzip.compress(b"text" * 2000),
}


@pytest.mark.parametrize("kind", WHOLE)
def test_an_archive_cut_anywhere_ends_with_a_sentence(kind: str) -> None:
    data = WHOLE[kind]
    for length in range(1, len(data), 7):
        found = opened("cut", data[:length])
        assert all(each.path == "cut" for each in found if isinstance(each, SkippedEntry))


def test_an_encrypted_member_is_left_out() -> None:
    data = bytearray(zipped({"secret.txt": b"x"}))
    at = data.rindex(b"PK\x01\x02")
    data[at + 8] |= 1
    assert "encrypted" in sentences(opened("a.zip", bytes(data)))["secret.txt"]


def claiming(name: str, kind: bytes, size: int) -> bytes:
    """A tar of one member that says it is so large."""
    member = tarfile.TarInfo(name)
    member.type = kind
    head = bytearray(member.tobuf(tarfile.GNU_FORMAT))
    head[124:136] = b"\x80" + size.to_bytes(11, "big")
    head[257:263] = b"ustar\0"
    head[148:156] = b" " * 8
    head[148:156] = b"%06o\0 " % sum(head)
    return bytes(head) + bytes(1024)


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", ["a.txt", "../a.txt", ".hidden"])
@pytest.mark.parametrize("kind", [tarfile.REGTYPE, b"Z", tarfile.GNUTYPE_SPARSE])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_member_that_says_it_is_endless_ends_the_archive(
    name: str, kind: bytes, pack: Callable[[bytes], bytes]
) -> None:
    found = opened("a.tar", pack(claiming(name, kind, 2**62)))
    assert list(sentences(found)) == ["a.tar"]
    assert "damaged" in sentences(found)["a.tar"]


@pytest.mark.timeout(60)
@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_file_of_countless_empty_streams_is_refused(
    pack: Callable[[bytes], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inflate, "MAX_STREAMS", 1000)
    with pytest.raises(ImportTooLarge, match="pieces"):
        opened("a.gz", pack(b"") * 1002)


def test_budget_counts_entries_of_a_zip64_record() -> None:
    """The old record says one entry, the new one any number; zipfile believes the new one."""
    count = 2 * MAX_FILES + 1
    fields = (20, 0, 20, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0)
    directory = (struct.pack("<4s4B4HL2L5H2L", b"PK\x01\x02", *fields) + b"a") * count
    size = len(directory)
    record = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, count, count, size, 0)
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, size, 1)
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1, 1, 47, 0, 0)
    with pytest.raises(ImportTooLarge, match="files"):
        opened("a.zip", b"PK\x03\x04" + directory + record + locator + end)


def test_archive_name_loses_bidirectional_marks() -> None:
    data = zipped({"fio\u202enosj.txt": b"x", "a\u200bb\x85.txt": b"y"})
    assert set(contents(opened("a.zip", data))) == {"fio\ufffdnosj.txt", "a\ufffdb\ufffd.txt"}


def test_a_workbook_is_a_file_of_its_own() -> None:
    """It is a zip inside; opened as an archive nothing would be left of its results."""
    data = (SAMPLES / "3.489--workbook-auto" / "out.xlsx").read_bytes()
    assert archive_kind(data) == ""
    assert archive_kind(zipped({"out.xlsx": data})) == "zip"

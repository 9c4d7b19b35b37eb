"""Kinds of archives, detected by their content."""

from __future__ import annotations

from apps.tools.workbooks import is_workbook

PACKED = {b"\x1f\x8b": "gz", b"BZh": "bz2", b"\xfd7zXZ\0": "xz"}
_OTHERS = {
    b"\x28\xb5\x2f\xfd": "zstd",
    b"7z\xbc\xaf\x27\x1c": "7-Zip",
    b"Rar!\x1a\x07": "RAR",
    b"\x04\x22\x4d\x18": "lz4",
}


def archive_kind(data: bytes) -> str:
    """Return the kind of an archive; "" for a plain file or a workbook (a zip inside).

    Kinds: "zip", "tar", "gz", "bz2", "xz", or the name of an unsupported one. The first 512 bytes
    suffice; a zip needs all bytes.
    """
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return "" if is_workbook(data) else "zip"
    for marks in (PACKED, _OTHERS):
        for mark, kind in marks.items():
            if data.startswith(mark):
                return kind
    return "tar" if is_tar(data[:512]) else ""


def is_tar(head: bytes) -> bool:
    """Return True if these first bytes are a tar's: "ustar" at byte 257 (POSIX.1-2001, pax)."""
    return head[257:262] == b"ustar"

"""The part of a file or disk in the page cache (mincore(2)).

Python's mmap does not expose the address of a read-only mapping, so the C library is called.
"""

import os
from typing import List, Optional, Tuple

try:
    import ctypes

    LIBC: "Optional[ctypes.CDLL]" = ctypes.CDLL(None, use_errno=True)
except (ImportError, OSError):  # a Python built without libffi
    LIBC = None

PROT_READ, MAP_SHARED = 1, 1  # <bits/mman-linux.h>, the same on every architecture
PAGE = os.sysconf("SC_PAGESIZE")
PIECE = 256 << 20  # bytes mapped at a time
MAX_CHECKED_BYTES = 64 << 30  # bytes looked at of one file or disk
SAMPLE = 64 << 20  # of a larger one so many bytes at places evenly spread
FIRST_BIT = bytes(number & 1 for number in range(256))  # the other bits are undefined


def checked_ranges(size: int) -> List[Tuple[int, int]]:
    """Return the offsets and lengths to check: everything, or samples of a large file."""
    if size <= MAX_CHECKED_BYTES:
        return [(begin, min(PIECE, size - begin)) for begin in range(0, size, PIECE)]
    count, last = MAX_CHECKED_BYTES // SAMPLE, size - SAMPLE
    offsets = [last * number // (count - 1) // PAGE * PAGE for number in range(count)]
    return [(begin, min(SAMPLE, size - begin)) for begin in offsets]


def cached_bytes(fd: int, size: int) -> Tuple[int, int]:
    """Return bytes in the page cache, and bytes checked. Raises: OSError."""
    parts = checked_ranges(size)
    return sum(resident_bytes(fd, *part) for part in parts), sum(length for _, length in parts)


def resident_bytes(fd: int, begin: int, length: int) -> int:
    """Return the bytes of one range in the page cache, in whole pages. Raises: OSError."""
    if LIBC is None:
        raise OSError("this Python has no ctypes")
    address = map_range(LIBC, fd, begin, length)
    try:
        result = ctypes.create_string_buffer((length + PAGE - 1) // PAGE)
        if LIBC.mincore(ctypes.c_void_p(address), ctypes.c_size_t(length), result):
            raise libc_error("mincore")
        return result.raw.translate(FIRST_BIT).count(1) * PAGE
    finally:
        LIBC.munmap(ctypes.c_void_p(address), ctypes.c_size_t(length))


def map_range(libc: "ctypes.CDLL", fd: int, begin: int, length: int) -> int:
    """Map a range without reading it; return the address. Raises: OSError."""
    # Where off_t has 32 bits, mmap64 takes the larger offsets; elsewhere they are the same.
    mmap = libc.mmap64 if hasattr(libc, "mmap64") else libc.mmap
    mmap.restype = ctypes.c_void_p
    size, offset = ctypes.c_size_t(length), ctypes.c_int64(begin)
    address = mmap(None, size, PROT_READ, MAP_SHARED, fd, offset)
    if address is None or address == ctypes.c_void_p(-1).value:
        raise libc_error("mmap")
    return int(address)


def libc_error(call: str) -> OSError:
    """Return the error of the last C library call."""
    number = ctypes.get_errno()
    return OSError(number, "{}: {}".format(call, os.strerror(number)))

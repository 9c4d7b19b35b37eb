"""The part of a file or disk that is in the page cache (mincore(2)). Python's own mmap does not say
where a mapping for reading lies, so the C library is asked itself.
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
MOST = 64 << 30  # bytes looked at of one file or disk
SAMPLE = 64 << 20  # of a larger one so many bytes at places evenly spread
FIRST_BIT = bytes(
    number & 1 for number in range(256)
)  # the other bits of a page's byte are nobody's


def pieces(size: int) -> List[Tuple[int, int]]:
    """Offsets and lengths to look at: everything, or of what is larger than `MOST` a sample with
    the beginning and the end.
    """
    if size <= MOST:
        return [(begin, min(PIECE, size - begin)) for begin in range(0, size, PIECE)]
    count, last = MOST // SAMPLE, size - SAMPLE
    places = [last * number // (count - 1) // PAGE * PAGE for number in range(count)]
    return [(begin, min(SAMPLE, size - begin)) for begin in places]


def cached(fd: int, size: int) -> Tuple[int, int]:
    """Bytes in the page cache, and bytes looked at. Raises OSError."""
    parts = pieces(size)
    return sum(resident(fd, *part) for part in parts), sum(length for _, length in parts)


def resident(fd: int, begin: int, length: int) -> int:
    """Bytes of one piece that are in the page cache, whole pages. Raises OSError."""
    if LIBC is None:
        raise OSError("this Python has no ctypes")
    address = mapped(LIBC, fd, begin, length)
    try:
        found = ctypes.create_string_buffer((length + PAGE - 1) // PAGE)
        if LIBC.mincore(ctypes.c_void_p(address), ctypes.c_size_t(length), found):
            raise failed("mincore")
        return found.raw.translate(FIRST_BIT).count(1) * PAGE
    finally:
        LIBC.munmap(ctypes.c_void_p(address), ctypes.c_size_t(length))


def mapped(libc: "ctypes.CDLL", fd: int, begin: int, length: int) -> int:
    """The address at which a piece is mapped; nothing of it is read by that. Raises OSError."""
    # Where off_t has 32 bits, mmap64 takes the larger offsets; elsewhere they are the same.
    mmap = libc.mmap64 if hasattr(libc, "mmap64") else libc.mmap
    mmap.restype = ctypes.c_void_p
    size, offset = ctypes.c_size_t(length), ctypes.c_int64(begin)
    address = mmap(None, size, PROT_READ, MAP_SHARED, fd, offset)
    if address is None or address == ctypes.c_void_p(-1).value:
        raise failed("mmap")
    return int(address)


def failed(call: str) -> OSError:
    """The C library's error of its last call."""
    number = ctypes.get_errno()
    return OSError(number, "{}: {}".format(call, os.strerror(number)))

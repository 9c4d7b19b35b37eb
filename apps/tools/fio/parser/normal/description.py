"""Parser of the parameters in a job's announcement."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from apps.tools.fio.parser.block_sizes import size_params
from apps.tools.fio.parser.direction import MIXED, OPERATIONS
from apps.tools.values import Parameters

from .units import amount, base_of

_RANGE = re.compile(r"([\d.]+ ?[kKMGT]?i?B?)-([\d.]+ ?[kKMGT]?i?B?)")
_DECIMALS = re.compile(r"\.(\d{1,3})k")
_SECTOR = 512
_BY_ORDER = "bs_is_seq_rand"  # sizes of sequential and of random operations


@dataclass(frozen=True)
class Description:
    """Stated parameters of a section.

    `sizes`: bytes per operation if there is only one size, in whole sectors if fio rounded it;
    `unread`: options whose value fio rounded.
    """

    params: Parameters
    sizes: dict[str, int]
    unread: tuple[str, ...] = ()

    @classmethod
    def read(cls, match: re.Match[str]) -> Description:
        """Parse "name: (g=0): rw=randread, bs=4K-4K/4K-4K, ioengine=libaio, iodepth=4"."""
        new = "(" in match["bs"]
        texts = _RANGE.findall(match["bs"])
        ranges = [(_exact(low, new=new), _exact(high, new=new)) for low, high in texts]
        exact = [(low, high) for low, high in ranges if low and high]
        complete = bool(ranges) and len(exact) == len(ranges)
        likely = [
            (low or _sectors(text), high or _sectors(other))
            for (low, high), (text, other) in zip(ranges, texts, strict=True)
        ]
        by_order = _BY_ORDER in match["bs"]
        return cls(
            {"rw": match["rw"]}
            | (size_params(exact) if complete else {})
            | {"ioengine": match["ioengine"], "iodepth": int(match["iodepth"])}
            | ({_BY_ORDER: "1"} if by_order else {}),
            {} if by_order else _single_sizes(likely),
            () if complete else ("bs",),
        )


def _single_sizes(ranges: Sequence[tuple[int | None, int | None]]) -> dict[str, int]:
    sizes = {
        operation: low
        for operation, (low, high) in zip(OPERATIONS, ranges, strict=False)
        if low and low == high
    }
    if len(set(sizes.values())) == 1 and len(sizes) == min(len(ranges), len(OPERATIONS)):
        sizes[MIXED] = next(iter(sizes.values()))
    return sizes


def _sectors(text: str) -> int | None:
    """Return the only multiple of a sector that fio rounds to this text ("65.5kB")."""
    size, digits = amount(text, base_of(text)), _DECIMALS.search(text)
    if not size or not digits:
        return None
    half = 1000 / 10 ** len(digits[1]) / 2
    nearest = round(size / _SECTOR) * _SECTOR
    return nearest if half < _SECTOR / 2 and abs(nearest - size) <= half else None


def _exact(text: str, *, new: bool) -> int | None:
    """Return the bytes of a block size; None if fio rounded it ("65.5kB")."""
    size = amount(text, base_of(text) if new else 1024)
    if size is None or size != int(size):
        return None
    exact = text.strip().removesuffix("B").isdecimal() or int(size) % _SECTOR == 0
    return int(size) if exact else None

"""Columns of millions of numbers that come block by block."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Whole = NDArray[Any]  # int32 where all fit, else int64


class GrowingColumn:
    """One array that grows in its place: blocks that are kept until the last one came, and joined
    then, take twice the memory, and small ones give none of it back.
    """

    def __init__(self, kind: type[np.generic] = np.int32) -> None:
        self._kept: Whole = np.empty(0, kind)
        self._used = 0

    def add(self, block: Whole) -> None:
        """Add numbers; whole ones take 64 bits from the first that needs more than 32."""
        fits = not block.size or int(block.max()) <= np.iinfo(self._kept.dtype).max
        if not fits:
            self._kept = self._kept.astype(np.int64)
        end = self._used + block.size
        if end > self._kept.size:
            self._kept.resize(max(end, self._kept.size * 5 // 4), refcheck=False)
        self._kept[self._used : end] = block
        self._used = end

    def whole(self) -> Whole:
        """All numbers; nothing is added afterwards."""
        self._kept.resize(self._used, refcheck=False)
        return self._kept


class GrowingSizes:
    """Sizes of I/Os, kept once while all are the same."""

    def __init__(self) -> None:
        self._first: int | None = None
        self._number = 0
        self._column: GrowingColumn | None = None

    def add(self, block: Whole) -> None:
        """Add sizes in bytes."""
        if not block.size:
            return
        if self._first is None:
            self._first = int(block[0])
        if self._column is None and not (block == self._first).all():
            self._column = GrowingColumn()
            self._column.add(self._same(self._number))
        if self._column is not None:
            self._column.add(block)
        self._number += block.size

    def whole(self) -> Whole:
        """All sizes."""
        return self._same(self._number) if self._column is None else self._column.whole()

    def _same(self, number: int) -> Whole:
        return np.broadcast_to(np.array([self._first or 0], np.int64), (number,))

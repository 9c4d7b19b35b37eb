"""Series values in numpy arrays: a log may have ten million values, too many for Python objects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

_CHUNK_SIZE = 65_536


class FloatValues(Sequence["float | None"]):
    """Values of a `parse_result.Series` as float32, with NaN for None.

    `numpy.asarray` returns the array without a copy.
    """

    def __init__(self, array: NDArray[np.float32]) -> None:
        self._array = array

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """Return the values with NaN for None (numpy's array protocol)."""
        return np.array(self._array, dtype=dtype, copy=copy)

    def __len__(self) -> int:
        return int(self._array.size)

    @overload
    def __getitem__(self, index: int) -> float | None: ...

    @overload
    def __getitem__(self, index: slice) -> FloatValues: ...

    def __getitem__(self, index: int | slice) -> float | FloatValues | None:
        if isinstance(index, slice):
            return FloatValues(self._array[index])
        return _none_if_nan(float(self._array[index]))

    def __iter__(self) -> Iterator[float | None]:
        for start in range(0, self._array.size, _CHUNK_SIZE):
            yield from map(_none_if_nan, self._array[start : start + _CHUNK_SIZE].tolist())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"FloatValues({self._array!r})"


def _none_if_nan(value: float) -> float | None:
    return None if value != value else value

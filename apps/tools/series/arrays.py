"""Many values of a series without a Python object for each: a log may hold ten million of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

_AT_ONCE = 65_536


class FloatValues(Sequence["float | None"]):
    """Values of a `base.Series`: float32 values, NaN standing for None. `numpy.asarray`
    gives the array itself.
    """

    def __init__(self, array: NDArray[np.float32]) -> None:
        self._array = array

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """The values with NaN for what is unknown (numpy's array protocol)."""
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
        return _known(float(self._array[index]))

    def __iter__(self) -> Iterator[float | None]:
        for start in range(0, self._array.size, _AT_ONCE):
            yield from map(_known, self._array[start : start + _AT_ONCE].tolist())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"FloatValues({self._array!r})"


def _known(value: float) -> float | None:
    return None if value != value else value

"""A selection of measurements: rows, a file, or a data frame with units in its names."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any, BinaryIO, Dict, Iterator, Mapping

from benchlab_client.errors import UsageError
from benchlab_client.files import write_answer
from benchlab_client.types import Measurement

if TYPE_CHECKING:
    import pyarrow as pa

    from benchlab_client.base import BaseClient

UNIT_SUFFIXES = {"bytes/s": "bytes_per_s", "ns": "ns", "bytes": "bytes", "s": "s", "%": "percent"}
"""Suffix of a column by its unit. IOPS (1/s) has its unit in the name."""


class Measurements:
    """Measurements of a selection, newest first. Iterating reads them page by page."""

    def __init__(self, client: BaseClient, filters: Mapping[str, Any]) -> None:
        self._client, self._filters = client, dict(filters)

    def __iter__(self) -> Iterator[Measurement]:
        return self._client.pages("measurements/", self._filters)

    def __repr__(self) -> str:
        words = ", ".join(f"{name}={value!r}" for name, value in self._filters.items())
        return f"measurements({words})"

    def export(self, file: BinaryIO, *, format: str = "parquet", maxima: bool = False) -> None:
        """Write all of them to a file in one request: parquet, csv or jsonl.

        `maxima`: also the highest IOPS and bandwidth over the windows of each test.
        """
        params: Dict[str, Any] = {**self._filters, "format": format}
        if maxima:
            params["maxima"] = True
        write_answer(self._client.transport, "measurements/export/", params, file)

    def to_arrow(self, *, maxima: bool = False) -> pa.Table:
        """Return a pyarrow table whose column names have their unit, such as `latency_p99_ns`.

        Raises: UsageError without pyarrow; NetworkError, ServerError.
        """
        parquet = _module("pyarrow.parquet", "arrow")
        content = io.BytesIO()
        self.export(content, format="parquet", maxima=maxima)
        content.seek(0)
        table = parquet.read_table(content)
        return table.rename_columns([_column_name(field) for field in table.schema])

    def to_pandas(self, *, maxima: bool = False) -> Any:
        """Return a pandas data frame with the columns of `to_arrow`. Raises: as it."""
        _module("pandas", "pandas")
        return self.to_arrow(maxima=maxima).to_pandas()

    def to_polars(self, *, maxima: bool = False) -> Any:
        """Return a polars data frame with the columns of `to_arrow`. Raises: as it."""
        polars = _module("polars", "polars")
        return polars.from_arrow(self.to_arrow(maxima=maxima))


def _column_name(field: Any) -> str:
    unit = (field.metadata or {}).get(b"unit", b"").decode()
    suffix = UNIT_SUFFIXES.get(unit, "")
    return f"{field.name}_{suffix}" if suffix else str(field.name)


def _module(name: str, extra: str) -> Any:
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError:
        raise UsageError(
            f"This needs {name.partition('.')[0]}: pip install 'benchlab-client[{extra}]'"
        ) from None

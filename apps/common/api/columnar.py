"""Stream many rows as CSV, JSON lines or Parquet, in constant memory."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Literal

import orjson

if TYPE_CHECKING:
    import pyarrow as pa

Cell = str | int | float | bool | datetime | None
Kind = Literal["text", "integer", "number", "flag", "moment"]
Rows = Sequence[Sequence[Cell]]
GROUP = 50_000
"""Rows of a Parquet row group, which is held in memory."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


@dataclass(frozen=True)
class ExportField:
    """Column: name, kind, and unit (may be empty)."""

    name: str
    kind: Kind = "text"
    unit: str = ""


def safe(cell: object) -> object:
    """Return a cell that no spreadsheet evaluates as a formula (OWASP, "CSV Injection")."""
    if isinstance(cell, str) and cell.startswith(_FORMULA):
        return f"'{cell}"
    return cell


def csv_pieces(fields: Sequence[ExportField], chunks: Iterable[Rows]) -> Iterator[bytes]:
    """Yield CSV (RFC 4180) with a header of names and units; times in ISO 8601."""
    yield _lines([[f"{one.name} [{one.unit}]" if one.unit else one.name for one in fields]])
    for rows in chunks:
        yield _lines(rows)


def _lines(rows: Iterable[Sequence[object]]) -> bytes:
    out = io.StringIO()
    csv.writer(out).writerows([safe(_plain(cell)) for cell in row] for row in rows)
    return out.getvalue().encode()


def _plain(cell: object) -> object:
    return cell.isoformat() if isinstance(cell, datetime) else cell


def json_pieces(fields: Sequence[ExportField], chunks: Iterable[Rows]) -> Iterator[bytes]:
    """Yield JSON lines, one object per row."""
    names = [one.name for one in fields]
    for rows in chunks:
        lines = (orjson.dumps(dict(zip(names, row, strict=True))) for row in rows)
        yield b"".join(line + b"\n" for line in lines)


class _Sink(io.RawIOBase):
    """Append-only file whose content is taken while it grows."""

    def __init__(self) -> None:
        super().__init__()
        self._pieces: list[bytes] = []
        self._written = 0

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._written

    def write(self, piece: object) -> int:
        taken = bytes(memoryview(piece))  # type: ignore[arg-type] # any buffer
        self._pieces.append(taken)
        self._written += len(taken)
        return len(taken)

    def taken(self) -> bytes:
        """Return the bytes written since the last call."""
        result, self._pieces = b"".join(self._pieces), []
        return result


def parquet_pieces(fields: Sequence[ExportField], chunks: Iterable[Rows]) -> Iterator[bytes]:
    """Yield a Parquet file, compressed with zstd, in groups of GROUP rows.

    Units are in the columns' metadata. pyarrow is imported here, because the import takes half a
    second.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    types = {
        "text": pa.string(), "integer": pa.int64(), "number": pa.float64(), "flag": pa.bool_(),
        "moment": pa.timestamp("us", tz="UTC"),
    }  # fmt: skip
    schema = pa.schema(
        pa.field(one.name, types[one.kind], metadata={"unit": one.unit} if one.unit else None)
        for one in fields
    )
    sink = _Sink()
    with pq.ParquetWriter(sink, schema, compression="zstd") as writer:
        for batches in _grouped(schema, chunks):
            writer.write_table(pa.Table.from_batches(batches, schema).combine_chunks())
            yield sink.taken()
    yield sink.taken()


def _grouped(schema: pa.Schema, chunks: Iterable[Rows]) -> Iterator[list[pa.RecordBatch]]:
    """Yield groups of at most GROUP rows in typed columns, a tenth of the memory of objects."""
    held: list[pa.RecordBatch] = []
    number = 0
    for rows in chunks:
        left = rows
        while left:
            taken, left = left[: GROUP - number], left[GROUP - number :]
            held.append(_batch(schema, taken))
            number += len(taken)
            if number == GROUP:
                yield held
                held, number = [], 0
    if held:
        yield held


def _batch(schema: pa.Schema, rows: Rows) -> pa.RecordBatch:
    import pyarrow as pa

    columns = zip(*rows, strict=True)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


Pieces = Callable[[Sequence[ExportField], Iterable[Rows]], Iterator[bytes]]
PARQUET = "application/vnd.apache.parquet"
STREAMED: Mapping[str, tuple[str, Pieces]] = {
    "csv": ("text/csv; charset=utf-8", csv_pieces),
    "jsonl": ("application/jsonl", json_pieces),
    "parquet": (PARQUET, parquet_pieces),
}
"""Media type and generator by format name."""

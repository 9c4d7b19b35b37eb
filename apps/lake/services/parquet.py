"""Write the rows of a table and month as Parquet files of about FILE_BYTES, in bounded memory."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from apps.common.fields.messages import read
from apps.lake.domain.columns import Column, Table
from apps.lake.domain.manifest import LakeFile
from apps.lake.selectors.rows import Rows
from apps.results.domain.chunks import FLOAT

if TYPE_CHECKING:
    import pyarrow as pa

FILE_BYTES = 128 << 20
GROUP_ROWS, GROUP_BYTES = 100_000, 32 << 20
"""Limits of a row group, which is held in memory."""
NameFile = Callable[[int], str]
"""Returns the name of the file with a number."""
OpenFile = Callable[[str], AbstractContextManager[IO[bytes]]]
"""Opens a new file under a name; at the end of the context the file is whole."""


def files_write(
    table: Table, month: str, rows: Iterable[Rows], name: NameFile, open_file: OpenFile
) -> Iterator[LakeFile]:
    """Write all rows and yield each whole file: at least one, also without rows."""
    schema = arrow_schema(table)
    groups = _groups(schema, rows, table.columns)
    number = 0
    group: pa.Table | None = next(groups, schema.empty_table())
    while group is not None:
        path = name(number)
        with open_file(path) as file:
            sink = _Sink(file)
            count, group = _file_write(sink, schema, group, groups)
        yield LakeFile(table.name, month, path, count, sink.report(), sink.digest.hexdigest())
        number += 1


def arrow_schema(table: Table) -> pa.Schema:
    """Return the schema of the files of a table.

    pyarrow is imported in functions, because the import takes half a second.
    """
    import pyarrow as pa

    types = {
        "text": pa.string(), "integer": pa.int64(), "small": pa.int32(), "number": pa.float64(),
        "flag": pa.bool_(), "moment": pa.timestamp("us", tz="UTC"), "message": pa.string(),
        "texts": pa.list_(pa.string()), "integers": pa.list_(pa.int64()),
        "samples": pa.list_(pa.float32()),
    }  # fmt: skip
    return pa.schema([pa.field(one.name, types[one.kind]) for one in table.columns])


def _file_write(
    sink: _Sink, schema: pa.Schema, first: pa.Table, rest: Iterator[pa.Table]
) -> tuple[int, pa.Table | None]:
    """Write groups until the file is large enough. Return its rows and the next file's group."""
    import pyarrow.parquet as pq

    count, group = 0, first
    with pq.ParquetWriter(sink, schema, compression="zstd") as writer:
        while group is not None and (not count or sink.report() < FILE_BYTES):
            writer.write_table(group, row_group_size=GROUP_ROWS)
            count += len(group)
            group = next(rest, None)
    return count, group


def _groups(
    schema: pa.Schema, chunks: Iterable[Rows], columns: Sequence[Column]
) -> Iterator[pa.Table]:
    """Yield row groups of typed columns, which take a tenth of the memory of objects."""
    import pyarrow as pa

    held: list[pa.RecordBatch] = []
    rows = size = 0
    for chunk in chunks:
        batch = _batch(schema, chunk, columns)
        held.append(batch)
        rows, size = rows + len(batch), size + batch.nbytes
        if rows >= GROUP_ROWS or size >= GROUP_BYTES:
            yield pa.Table.from_batches(held, schema)
            held, rows, size = [], 0, 0
    if held:
        yield pa.Table.from_batches(held, schema)


def _batch(schema: pa.Schema, rows: Rows, columns: Sequence[Column]) -> pa.RecordBatch:
    import pyarrow as pa

    arrays = [
        _array(column, values, field.type)
        for column, values, field in zip(columns, zip(*rows, strict=True), schema, strict=True)
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _array(column: Column, values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    import pyarrow as pa

    if column.kind == "samples":
        return _samples(values, kind)
    if column.kind == "message":
        values = [str(read(value)) if value else None for value in values]
    return pa.array(values, kind)


def _samples(values: Sequence[bytes], kind: pa.DataType) -> pa.Array:
    """Return lists of float32 samples from their bytes; a missing sample is NULL."""
    import pyarrow as pa

    parts = [np.frombuffer(value, FLOAT) for value in values]
    offsets = np.cumsum([0, *map(len, parts)], dtype=np.int32)
    samples = pa.array(np.concatenate(parts), kind.value_type, from_pandas=True)
    return pa.ListArray.from_arrays(pa.array(offsets), samples, type=kind)


class _Sink(io.RawIOBase):
    """Append-only file with the SHA-256 of what is written."""

    def __init__(self, file: IO[bytes]) -> None:
        super().__init__()
        self._file = file
        self._written = 0
        self.digest = hashlib.sha256()

    def writable(self) -> bool:
        return True

    def report(self) -> int:
        return self._written

    def write(self, piece: object) -> int:
        view = memoryview(piece)  # type: ignore[arg-type] # any buffer
        self._file.write(view)
        self.digest.update(view)
        self._written += view.nbytes
        return view.nbytes

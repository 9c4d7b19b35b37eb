"""Selections of measurements as files, read by other programs."""

from __future__ import annotations

import csv
import io
import json
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any

import pyarrow.parquet as pq
import pytest
from django.db import connection
from django.http import StreamingHttpResponse
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.common.api import columnar
from apps.common.api.columnar import ExportField, Rows, csv_pieces, json_pieces, parquet_pieces
from apps.results.models import Measurement
from apps.results.selectors import export
from apps.results.tests.factories import create_results
from apps.runs.tests.factories import create_attempt, create_run

Api = Callable[[User | None], APIClient]
ADDRESS = "/api/v1/measurements/export/"


@pytest.fixture
def stored(owner: User) -> list[Measurement]:
    for _number in range(7):
        create_results(create_attempt(create_run(owner=owner).cases.get()))
    return list(Measurement.objects.order_by("-pk"))


def content(api: Api, user: User, **query: str) -> bytes:
    found: Any = api(user).get(ADDRESS, query)
    assert found.status_code == 200
    return b"".join(found.streaming_content)


def lines_of(data: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in data.splitlines()]


def test_every_format_has_every_row(
    stored: list[Measurement], api: Api, viewer: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "AT_ONCE", 3)
    monkeypatch.setattr(columnar, "GROUP", 4)
    keys = [row.pk for row in stored]
    lines = list(csv.reader(io.StringIO(content(api, viewer).decode())))
    assert [int(line[0]) for line in lines[1:]] == keys
    assert "bandwidth [bytes/s]" in lines[0]
    told = lines_of(content(api, viewer, format="jsonl"))
    assert [row["id"] for row in told] == keys
    table = pq.read_table(io.BytesIO(content(api, viewer, format="parquet")))
    assert table.column("id").to_pylist() == keys
    assert table.column("iops").to_pylist() == [row.iops for row in stored]
    assert table.schema.field("latency_mean").metadata == {b"unit": b"ns"}
    assert [row["iops"] for row in told] == [row.iops for row in stored]


def test_a_selection_is_what_the_list_has(
    stored: list[Measurement], api: Api, viewer: User
) -> None:
    run = str(stored[2].case.run_id)
    listed = api(viewer).get("/api/v1/measurements/", {"run": run}).json()["results"]
    told = lines_of(content(api, viewer, run=run, format="jsonl"))
    assert [row["id"] for row in told] == [row["id"] for row in listed] == [stored[2].pk]
    assert content(api, viewer, valid="false", format="jsonl") == b""


def test_pages_of_rows_are_queries_of_their_own(
    stored: list[Measurement], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "AT_ONCE", 3)
    with CaptureQueriesContext(connection) as asked:
        pages = [len(page) for page in export.exported(Measurement.objects.all())]
    assert pages == [3, 3, 1]
    assert len(asked) == 3


@pytest.mark.parametrize(
    ("query", "wrong"),
    [({"format": "xls"}, "format"), ({"x": "1"}, "x"), ({"valid": "maybe"}, "valid")],
)
def test_what_makes_no_sense_is_refused(
    api: Api, viewer: User, query: dict[str, str], wrong: str
) -> None:
    found = api(viewer).get(ADDRESS, query)
    assert found.status_code == 400
    assert wrong in found.json()["error"]["fields"]
    assert api(None).get(ADDRESS).status_code == 401


def test_nothing_is_held_back_until_the_end() -> None:
    """A million rows come in pieces of which none is large."""
    fields = [ExportField("id", "integer"), ExportField("name")]
    chunks: Iterator[Rows] = (
        [[n, "x"] for n in range(at, at + 5000)] for at in range(0, 1_000_000, 5000)
    )
    sizes = [len(piece) for piece in parquet_pieces(fields, chunks)]
    assert len(sizes) == 21
    assert max(sizes) < 600_000
    assert next(csv_pieces(fields, iter([]))) == b"id,name\r\n"
    assert b"'=1+1" in b"".join(csv_pieces(fields, [[[1, "=1+1"]]]))
    assert b"".join(json_pieces(fields, [])) == b""


def test_csv_of_a_million_rows_memory_stays_bounded() -> None:
    fields = [ExportField("id", "integer"), ExportField("name")]
    chunks: Iterator[Rows] = (
        [[n, "x"] for n in range(at, at + 5000)] for at in range(0, 1_000_000, 5000)
    )
    answer = StreamingHttpResponse(csv_pieces(fields, chunks))
    tracemalloc.start()
    try:
        lines = sum(piece.count(b"\n") for piece in answer)
        _now, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert lines == 1_000_001
    assert most < 8 * 1024**2


def test_an_empty_selection_is_a_readable_file() -> None:
    found: Any = pq.read_table(
        io.BytesIO(b"".join(parquet_pieces([ExportField("id", "integer")], [])))
    )
    assert found.num_rows == 0

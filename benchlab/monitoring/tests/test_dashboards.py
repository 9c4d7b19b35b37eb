"""The dashboards: well-formed, and every query to PostgreSQL answers as the role for Grafana."""

from __future__ import annotations

import math
import os
import struct
import uuid
from collections.abc import Iterator

import psycopg
import pytest
from django.core.management import call_command
from django.db import connection
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from apps.accounts.models import User
from apps.results.domain.chunks import CHUNK
from apps.results.models import ResultSummary, Series
from apps.results.tests.factories import create_results, series_store
from apps.runs.models import Attempt
from apps.runs.tests.factories import create_attempt, create_run
from apps.tools import parse_result
from benchlab.monitoring.tests.dashboards import DASHBOARDS, panels, statements, variables


@pytest.mark.parametrize("name", DASHBOARDS)
def test_panels_have_own_ids_and_do_not_overlap(name: str) -> None:
    ids = [panel["id"] for panel in DASHBOARDS[name]["panels"]]
    assert len(ids) == len(set(ids))
    cells: set[tuple[int, int]] = set()
    for panel in DASHBOARDS[name]["panels"]:
        at = panel["gridPos"]
        own = {
            (at["x"] + x, at["y"] + y)
            for x in range(at["w"])
            for y in range(at["h"])
        }  # fmt: skip
        assert at["x"] + at["w"] <= 24, panel["title"]
        assert not own & cells, panel["title"]
        cells |= own


@pytest.mark.parametrize("name", DASHBOARDS)
def test_every_query_uses_the_chosen_data_source(name: str) -> None:
    kind = variables(name)["datasource"]["query"]
    wanted = {"type": kind, "uid": "${datasource}"}
    for panel in panels(name):
        assert panel["datasource"] == wanted
        assert [target["datasource"] for target in panel["targets"]] == [wanted]


@pytest.fixture
def attempt(transactional_db: None, owner: User) -> Attempt:
    result = create_results(create_attempt(create_run(owner=owner).cases.get()))
    ResultSummary.objects.update(expectation_verdict="missed")
    return result


@pytest.fixture
def reader(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[psycopg.Connection[tuple[object, ...]]]:
    """A connection as the role for Grafana."""
    name = f"reader_{uuid.uuid4().hex[:12]}"
    address = conninfo_to_dict(os.environ["DATABASE_URL"])
    address["dbname"] = connection.settings_dict["NAME"]
    monkeypatch.setenv("DATABASE_URL", make_conninfo("", **address))
    monkeypatch.delenv("DATABASE_OWNER_URL", raising=False)
    call_command("create_grafana_role", name)
    own = address | {"user": name, "password": capsys.readouterr().out.strip()}
    with psycopg.connect(make_conninfo("", **own), autocommit=True) as made:
        yield made
    with connection.cursor() as cursor:
        cursor.execute(f"DROP OWNED BY {name}; DROP ROLE {name}")


def test_every_query_of_the_results_dashboard_has_rows(
    attempt: Attempt, reader: psycopg.Connection[tuple[object, ...]]
) -> None:
    asked = list(statements(attempt.case_id))
    empty = [name for name, sql in asked if not reader.execute(sql.encode()).fetchall()]
    assert len(asked) >= 11
    assert empty == []


@pytest.mark.parametrize("case", ["", "x' OR 1=1 --", "1; DROP VIEW grafana_series"])
def test_what_is_no_case_has_no_samples(
    attempt: Attempt, reader: psycopg.Connection[tuple[object, ...]], case: str
) -> None:
    (sql,) = (text for name, text in statements(0) if name == "Samples of case $case")
    cleaned = sql.replace("'0'", "%s")
    rows = reader.execute(cleaned.encode(), [case]).fetchall()
    assert rows == [] or "1" in case


def test_measurements_have_benchlabs_figures(
    attempt: Attempt, reader: psycopg.Connection[tuple[object, ...]]
) -> None:
    columns = "case_id, tool, operation, bandwidth, iops, latency_mean, latency_p99, is_comparable"
    row = reader.execute(f"SELECT {columns} FROM grafana_measurement".encode()).fetchone()
    figures = (128 * 2.0**20, 32_768.0, 1_500.0, 2_000.0)
    assert row == (attempt.case_id, "fio", "read", *figures, True)


def test_samples_are_those_that_benchlab_stored(
    attempt: Attempt, reader: psycopg.Connection[tuple[object, ...]]
) -> None:
    """Of every kind of float32: zero, subnormal, small, large, negative, missing; two chunks."""
    kinds = [0.0, 1e-45, 1e-38, 0.1, 1.0, 123456.789, 3e38, -2.5, math.nan]
    values = tuple(kinds[n % len(kinds)] for n in range(CHUNK + len(kinds)))
    series_store(
        attempt=attempt,
        source=Series.Source.DEVICE,
        subject="sdb",
        series=[parse_result.Series("queue", values)],
    )
    stored = Series.objects.get(subject="sdb")
    sql = "SELECT second, value FROM grafana_series WHERE series_id = %s ORDER BY second"
    rows = reader.execute(sql, [stored.pk]).fetchall()
    assert [row[0] for row in rows] == [
        stored.start + n * stored.interval for n in range(len(values))
    ]
    rounded = [struct.unpack("<f", struct.pack("<f", value))[0] for value in values]
    wanted = [None if math.isnan(value) else value for value in rounded]
    assert [row[1] for row in rows] == wanted

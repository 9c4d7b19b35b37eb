"""Pages whose time must not follow the archive, each beside a plain query for the same rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import psycopg

LIST, WORKED_OUT = 0.3, 1.0
"""Seconds after which a person waits: for a list, and for what is worked out from results."""


@dataclass(frozen=True)
class Shown:
    """A page or call. `sql`: what somebody with psql would ask for the same rows."""

    name: str
    path: str
    sql: str
    limit: float = LIST


NEWEST = "SELECT * FROM {table} ORDER BY id DESC LIMIT 50"
OF_RUN = "SELECT * FROM runs_case WHERE run_id = {large} ORDER BY sequence LIMIT 50 OFFSET 450"
FAILED = "SELECT * FROM runs_case WHERE state = 'failed' ORDER BY id DESC LIMIT 50"
OF_WORKLOAD = (
    "SELECT * FROM results_measurement WHERE workload_id = {workload_id} AND component = '' "
    "ORDER BY id DESC LIMIT 50"
)
HISTORY = (
    "SELECT measured_at, iops, target_id, tuning_id FROM results_resultsummary "
    "WHERE workload_id = {workload_id} AND is_comparable AND operation = '{operation}' "
    "ORDER BY measured_at DESC LIMIT 20000"
)
HISTORY_OF_DISK = (
    "SELECT measured_at, iops, tuning_id FROM results_resultsummary "
    "WHERE workload_id = {workload_id} AND target_id = {disk} AND is_comparable "
    "ORDER BY measured_at DESC"
)
RANKING = (
    "SELECT DISTINCT ON (target_id) target_id, iops, measured_at FROM results_resultsummary "
    "WHERE workload_id = {workload_id} AND is_comparable AND operation = '{operation}' "
    "ORDER BY target_id, measured_at DESC"
)
OF_RUNS = "SELECT * FROM results_resultsummary WHERE run_id IN ({large}, {middle})"
NAMED = "SELECT * FROM runs_run WHERE name ILIKE '%{words}%' ORDER BY id DESC LIMIT 50"
BY_HOST = (
    "SELECT DISTINCT r.* FROM runs_run r JOIN runs_runtarget t ON t.run_id = r.id "
    "JOIN runs_runtargetmember m ON m.run_target_id = t.id WHERE m.host_id = {host} "
    "ORDER BY r.id DESC LIMIT 50"
)
BY_DISK = (
    "SELECT DISTINCT ON (workload_id) * FROM results_resultsummary "
    "WHERE target_id = {disk} AND is_comparable ORDER BY workload_id, measured_at DESC"
)

BY_TUNING = (
    "SELECT * FROM results_resultsummary WHERE is_comparable AND run_id IN (SELECT run_id "
    "FROM runs_runtuning WHERE tuning_id = {tuning} ORDER BY run_id DESC LIMIT 20)"
)

PAGES = (
    Shown("home", "/", NEWEST.format(table="runs_run")),
    Shown("runs", "/runs/", NEWEST.format(table="runs_run")),
    Shown("runs by name", "/runs/?name={quoted}", NAMED),
    Shown("runs on a host", "/runs/?host={host}", BY_HOST),
    Shown("a run of 9,000 cases, page 10", "/runs/{large}/?page=10", OF_RUN),
    Shown("cases, API", "/api/v1/cases/", NEWEST.format(table="runs_case")),
    Shown("failed cases, API", "/api/v1/cases/?state=failed", FAILED),
    Shown("measurements, API", "/api/v1/measurements/?workload={workload}", OF_WORKLOAD),
    Shown("hosts", "/hosts/", "SELECT * FROM inventory_host ORDER BY name LIMIT 50"),
    Shown("a host", "/hosts/{host}/", BY_HOST),
    Shown("disks", "/disks/", "SELECT * FROM inventory_disk ORDER BY device_path LIMIT 50"),
    Shown("a disk", "/disks/{disk}/", BY_DISK),
    Shown("verdicts on a disk", "/disks/{disk}/verdicts/", BY_DISK, WORKED_OUT),
    Shown("verdicts on a tuning", "/tunings/{tuning}/verdicts/", BY_TUNING, WORKED_OUT),
    Shown("fleet", "/fleet/", RANKING, WORKED_OUT),
    Shown("ranking", "/analysis/fleet/?workload={workload}", RANKING, WORKED_OUT),
    Shown("workloads to choose", "/history/", OF_WORKLOAD),
    Shown("history", "/history/?workload={workload}", HISTORY, WORKED_OUT),
    Shown(
        "history of a disk", "/history/?workload={workload}&target={disk}",
        HISTORY_OF_DISK, WORKED_OUT,
    ),
    Shown("comparison", "/compare/?run={large}&run={middle}", OF_RUNS, WORKED_OUT),
    Shown("search for a plan", "/search/?q={quoted}", NAMED),
    Shown("search for a host", "/search/?q={host_name}", BY_HOST),
)  # fmt: skip

# The disk that most recent results are of, and its host.
KEYS = """
SELECT w.id AS workload_id, s.target_id AS disk, d.host_id AS host, h.name AS host_name,
       max(s.operation) AS operation, max(s.tuning_id) AS tuning
FROM plans_workload w JOIN results_resultsummary s ON s.workload_id = w.id
JOIN inventory_disk d ON d.target_id = s.target_id JOIN inventory_host h ON h.id = d.host_id
WHERE w.key = %s AND s.is_comparable GROUP BY 1, 2, 3, 4 ORDER BY count(*) DESC, 2 LIMIT 1
"""
WORDS = "archive plan 7"


def known_keys(url: str, known: dict[str, Any]) -> dict[str, Any]:
    """Return the keys that addresses and queries need, those of the archive included."""
    with psycopg.connect(url) as connection:
        cursor = connection.execute(KEYS, [known["workload"]])
        row = cursor.fetchone()
        assert row
        assert cursor.description
        keys = dict(zip((column.name for column in cursor.description), row, strict=True))
    return {**known, **keys, "words": WORDS, "quoted": quote(WORDS)}

"""The dashboards of docs/operations/grafana, as Grafana sends their queries."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from tests.harness.documents import Document

FOLDER = Path(__file__).resolve().parents[3] / "docs/operations/grafana"
RULES = FOLDER / "alerts.yml"
DASHBOARDS = {name: json.loads((FOLDER / f"{name}.json").read_text()) for name in (
    "operations", "results",
)}  # fmt: skip


def panels(name: str) -> list[Document]:
    """The panels of a dashboard without its rows."""
    return [panel for panel in DASHBOARDS[name]["panels"] if panel["type"] != "row"]


def variables(name: str) -> dict[str, Document]:
    return {item["name"]: item for item in DASHBOARDS[name]["templating"]["list"]}


def expressions() -> Iterator[tuple[str, str]]:
    """Each query to Prometheus with the title of its panel, all hosts chosen."""
    for panel in panels("operations"):
        for target in panel["targets"]:
            expression = target["expr"].replace("$__rate_interval", "1m").replace("$host", ".*")
            yield panel["title"], expression


def statements(case: int) -> Iterator[tuple[str, str]]:
    """Each query to PostgreSQL with the name of its panel or variable, everything chosen."""
    for name, item in variables("results").items():
        if item["type"] == "query":
            yield f"${name}", filled(item["query"], case)
    for panel in panels("results"):
        for target in panel["targets"]:
            yield panel["title"], filled(target["rawSql"], case)


def filled(sql: str, case: int) -> str:
    """The query with the values of Grafana's variables and macros."""
    columns = {"host": "host", "tool": "tool", "workload": "workload"}
    for variable, column in columns.items():
        every = f"SELECT {column} FROM grafana_measurement"
        sql = sql.replace(f"(${variable})", f"({every})")
    sql = re.sub(r"\$__timeFilter\((\w+)\)", r"\1 BETWEEN now() - interval '1 day' AND now()", sql)
    sql = sql.replace("'$case'", f"'{case}'").replace("'$metric'", "'iops'")
    assert "$" not in sql, sql
    return sql

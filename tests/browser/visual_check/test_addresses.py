"""Addresses that `bin/visual-check` opens."""

from __future__ import annotations

from typing import Any

from tests.browser.visual_check.addresses import view_addresses

RUNS = [{"id": 9}, {"id": 7}]
WITH_RESULTS = {
    "analysis/compare/?run=7",
    "analysis/table/?run=9",
    "analysis/timeseries/?run=9",
    "analysis/timeseries/?run=7",
}
WITHOUT_CHART = {"analysis/timeseries/?run=9"}
KEYS = {"few": "3", "many": "1,200"}


def get(path: str) -> Any:
    """Return JSON of two runs: one with a comparison, one with a grid of two tunings."""
    if path.startswith("runs/"):
        return {"results": RUNS}
    if path.startswith("cases/"):
        return {"results": [{"workload": key} for key in KEYS]}
    if path.startswith("analysis/history/"):
        key = path.partition("workload=")[2]
        return {"empty": "", "basis": [{"name": "Results", "text": KEYS[key]}]}
    if path.startswith("analysis/sweep/"):
        return None
    rows = [["none", 1.0], ["bfq", 2.0]]
    columns = [{"key": "tuning"}, {"key": "median"}]
    empty = "" if path in WITH_RESULTS else "Nothing."
    figures: list[dict[str, str]] = [] if path in WITHOUT_CHART else [{}]
    return {"empty": empty, "figures": figures, "tables": [{"columns": columns, "rows": rows}]}


def test_view_addresses_name_runs_with_results() -> None:
    assert view_addresses(get) == {
        "compare": "/compare/?run=7",
        "table": "/runs/9/grid/",
        "table-delta": "/runs/9/grid/?tuning=none&against=bfq",
        "timeseries": "/analysis/timeseries/?run=7",
        "history": "/history/?workload=many",
        "fleet": "/analysis/fleet/?workload=many",
        "config-diff": "/analysis/config-diff/?run=9&run=7",
        "run": "/runs/9/",
        "home": "/",
    }

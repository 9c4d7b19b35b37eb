"""Addresses of analysis views with results, from the API."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from tests.browser.visual_check.faults import WITH_CHART

GetJson = Callable[[str], Any]
"""Returns the JSON of a path below /api/v1/; None after an error."""
MAX_RUNS = 30
"""Newest runs that are searched for results."""
OF_RUN: Mapping[str, str] = {
    "compare": "/compare/?run={run}",
    "sweep": "/analysis/parameter/?run={run}",
    "table": "/runs/{run}/grid/",
    "network": "/runs/{run}/mesh/",
    "distribution": "/analysis/distribution/?run={run}",
    "timeseries": "/analysis/timeseries/?run={run}",
    "bottleneck": "/analysis/bottleneck/?run={run}",
    "medians": "/runs/{run}/report/",
}
"""Pages of views about a run."""
OF_WORKLOAD = {"history": "/history/", "fleet": "/analysis/fleet/"}


def view_addresses(get: GetJson) -> dict[str, str]:
    """Return the address of a page for each view with results, by view."""
    rows = get("runs/?state=succeeded")["results"][:MAX_RUNS]
    runs = [int(row["id"]) for row in rows]
    addresses = dict(_of_runs(get, runs))
    addresses |= dict(_of_workloads(get, runs))
    if len(runs) > 1:
        query = urlencode([("run", run) for run in runs[:2]])
        addresses["config-diff"] = f"/analysis/config-diff/?{query}"
    if runs:
        addresses["run"] = f"/runs/{runs[0]}/"
    return addresses | {"home": "/"}


def _of_runs(get: GetJson, runs: Sequence[int]) -> Iterator[tuple[str, str]]:
    """Yield the newest run with results for each view, and with a chart if the view has one."""
    for view, address in OF_RUN.items():
        for run in runs:
            result = get(f"analysis/{view}/?run={run}")
            if result and not result["empty"] and (result["figures"] or view not in WITH_CHART):
                yield view, address.format(run=run)
                yield from _deltas(view, result, address.format(run=run))
                break


def _deltas(view: str, result: Any, address: str) -> Iterator[tuple[str, str]]:
    """Yield the grid of changes between the first two tunings of a run."""
    if view == "table":
        tunings = sorted(set(_tunings(result)))
        if len(tunings) > 1:
            query = urlencode({"tuning": tunings[1], "against": tunings[0]})
            yield "table-delta", f"{address}?{query}"


def _tunings(result: Any) -> Iterator[str]:
    for table in result["tables"]:
        for index, column in enumerate(table["columns"]):
            if column["key"] == "tuning":
                yield from (str(row[index]) for row in table["rows"])


def _of_workloads(get: GetJson, runs: Sequence[int]) -> Iterator[tuple[str, str]]:
    """Yield the views of the workload with the most results in the newest runs."""
    keys = {case["workload"] for run in runs[:5] for case in get(f"cases/?run={run}")["results"]}
    results: dict[str, int] = {}
    for key in sorted(keys)[:MAX_RUNS]:
        result = get(f"analysis/history/?{urlencode({'workload': key})}")
        if result and not result["empty"]:
            facts = {fact["name"]: fact["text"] for fact in result["basis"]}
            results[key] = max(int(text.replace(",", "")) for text in facts.values())
    if results:
        workload = max(results, key=lambda key: results[key])
        for view, address in OF_WORKLOAD.items():
            yield view, f"{address}?{urlencode({'workload': workload})}"

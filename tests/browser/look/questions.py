"""Questions to each view that a benchlab has an answer to, found through its API."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

Ask = Callable[[str], Any]
"""The JSON at a path of the API below /api/v1/; None where it is refused."""
RUNS = 30
"""Runs that are looked at, the newest."""
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


def questions(ask: Ask) -> dict[str, str]:
    """The address of a page for each view that has something to show, by the view."""
    rows = ask("runs/?state=succeeded")["results"][:RUNS]
    runs = [int(row["id"]) for row in rows]
    found = dict(_of_runs(ask, runs))
    found |= dict(_of_workloads(ask, runs))
    if len(runs) > 1:
        query = urlencode([("run", run) for run in runs[:2]])
        found["config-diff"] = f"/analysis/config-diff/?{query}"
    if runs:
        found["run"] = f"/runs/{runs[0]}/"
    return found | {"home": "/"}


def _of_runs(ask: Ask, runs: Sequence[int]) -> Iterator[tuple[str, str]]:
    """The newest run that a view has an answer about."""
    for view, address in OF_RUN.items():
        for run in runs:
            answer = ask(f"analysis/{view}/?run={run}")
            if answer and not answer["empty"]:
                yield view, address.format(run=run)
                yield from _deltas(view, answer, address.format(run=run))
                break


def _deltas(view: str, answer: Any, address: str) -> Iterator[tuple[str, str]]:
    """A table of changes between the first two tunings of a run with several."""
    if view == "table":
        tunings = sorted(set(_tunings(answer)))
        if len(tunings) > 1:
            query = urlencode({"tuning": tunings[1], "against": tunings[0]})
            yield "table-delta", f"{address}?{query}"


def _tunings(answer: Any) -> Iterator[str]:
    for table in answer["tables"]:
        for place, column in enumerate(table["columns"]):
            if column["key"] == "tuning":
                yield from (str(row[place]) for row in table["rows"])


def _of_workloads(ask: Ask, runs: Sequence[int]) -> Iterator[tuple[str, str]]:
    """The workload, of those of the newest runs, with the most results."""
    keys = {case["workload"] for run in runs[:5] for case in ask(f"cases/?run={run}")["results"]}
    results: dict[str, int] = {}
    for key in sorted(keys)[:RUNS]:
        answer = ask(f"analysis/history/?{urlencode({'workload': key})}")
        if answer and not answer["empty"]:
            facts = {fact["name"]: fact["text"] for fact in answer["basis"]}
            results[key] = max(int(text.replace(",", "")) for text in facts.values())
    if results:
        most = max(results, key=lambda key: results[key])
        for view, address in OF_WORKLOAD.items():
            yield view, f"{address}?{urlencode({'workload': most})}"

"""Tool `history`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

from benchlab_client.client import Client
from benchlab_client.mcp.answers import (
    MIN_RUNS,
    Answer,
    Basis,
    Figure,
    Part,
    Side,
    clean,
    notes,
    quoted,
    sentences,
)
from benchlab_client.transport import query_items

Json = dict[str, Any]
MAX_SENTENCES = 3
NOT_COMPARED = "Tunings and targets are not compared here: use compare."


def history(client: Client, workload: str, **selection: Any) -> Answer:
    """Return the changes of a workload over time."""
    data = client.history(workload, **selection)
    parts = [*_changes(data), *_levels(data)]
    query = urlencode(query_items({"workload": workload, **selection}))
    lines = [part.sentence for part in parts[:MAX_SENTENCES]]
    warnings = ["There are older results than these."] if data["more"] else []
    if len(data["levels"]) > 1:
        warnings.append(NOT_COMPARED)
    return Answer(
        about={"workload": quoted(data["label"]), "operation": clean(data["operation"]),
               "metric": clean(data["metric"])},
        sentence=sentences(lines) if lines else "No comparable result matches.",
        verdict=parts[0].verdict if len(parts) == 1 else None,
        basis=Basis(warnings=warnings),
        parts=parts,
        link=client.page_url(f"history/?{query}"),
    )  # fmt: skip


def _changes(data: Json) -> Iterator[Part]:
    """Yield the changes of the medians, the newest first."""
    for point in reversed(data["change_points"]):
        before = _figure("before", data, point["runs_before"], point["before"],
                         point["before_interval"])  # fmt: skip
        after = _figure("after", data, point["runs_after"], point["after"],
                        point["after_interval"])  # fmt: skip
        known = before is not None and after is not None
        yield Part(
            about={"tuning": quoted(point["tuning"]), "since": point["at"], "run": point["run"]},
            sentence=sentences([point["text"]]) if known else _few(point),
            verdict=point["verdict"] if known else "too_few_repeats",
            basis=Basis(
                baseline=Side(repeats=point["runs_before"], blocks=0),
                level=Side(repeats=point["runs_after"], blocks=0),
                repeats_needed=None if known else MIN_RUNS,
                test="change point of the medians of runs",
                what_differs=notes(map(_change, point["changes"])),
            ),
            figures=[one for one in (before, after) if one is not None and known],
        )


def _few(point: Json) -> str:
    """Return the sentence of a change whose size is not known yet."""
    return (
        f"{quoted(point['tuning'])}: the medians of runs changed at {point['at'][:10]}. Too few "
        f"runs to tell by how much: {point['runs_before']} before, {point['runs_after']} after; "
        f"{MIN_RUNS} of each are needed."
    )


def _change(change: Json) -> str:
    values = f"{quoted(change['before'])}, then {quoted(change['after'])}"
    return f"{clean(change['what'])}: {values}, since {change['at'][:10]}"


def _levels(data: Json) -> Iterator[Part]:
    """Yield the tunings, with the median since the last change."""
    changed = {point["tuning"] for point in data["change_points"]}
    for level in data["levels"]:
        figure = _figure("since the last change", data, level["runs_since"], level["median"],
                         level["median_interval"])  # fmt: skip
        if level["tuning"] not in changed:
            yield Part(
                about={"tuning": quoted(level["tuning"])},
                sentence=sentences([level["text"]]),
                basis=Basis(
                    level=Side(repeats=level["runs"], blocks=0),
                    warnings=[] if figure else _no_interval(level),
                ),
                figures=[figure] if figure else [],
            )


def _no_interval(level: Json) -> list[str]:
    return [f"No median: its interval needs {MIN_RUNS} runs, there are {level['runs_since']}."]


def _figure(
    of: str, data: Json, runs: int, median: float | None, interval: list[float] | None
) -> Figure | None:
    if median is None or interval is None:
        return None
    low, high = interval
    return Figure(of=f"runs {of}", metric=data["metric"], unit=data["unit"], n=runs,
                  median=median, interval=(low, high))  # fmt: skip

"""Tool `sweep`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from benchlab_client.client import Client
from benchlab_client.mcp.answers import (
    COMPARED,
    MIN_RUNS,
    WITHHELD,
    Answer,
    Basis,
    Figure,
    Part,
    Side,
    clean,
    interval_percent,
    notes,
    quoted,
    sentences,
)

Json = dict[str, Any]
Rows = list[Json]
METRICS = ("iops", "bandwidth", "latency_mean")
"""Metrics whose medians the points table has with intervals."""
TOO_FEW = (
    f"Too few repeats to name the best value: each value needs {MIN_RUNS} repeats for the interval "
    "of its median, and must be comparable."
)


def sweep(client: Client, **selection: Any) -> Answer:
    """Return medians over a parameter, and the verdicts on each level."""
    data = client.analysis("sweep", **{k: v for k, v in selection.items() if v is not None})
    link = client.page_url(f"analysis/parameter/?{data['query']}")
    if data["empty"]:
        return Answer(sentence=sentences([data["empty"]]), link=link)
    verdicts = _by_point(data)
    points = [_point(row, data, verdicts) for row in _points(data)]
    findings = [clean(one["text"]) for one in data["verdicts"]]
    best = [one for one in map(clean, data["headline"].split("\n")) if one not in findings]
    complete = bool(points) and all(complete for _part, complete in points)
    lines = [*(best if complete else [TOO_FEW]), *findings]
    every = [row for rows in verdicts.values() for row in rows]
    kinds = {row["verdict"] for row in every}
    return Answer(
        about={"over": clean(data["title"]), "subject": quoted(data["subject"])},
        sentence=sentences(lines),
        verdict=kinds.pop() if len(kinds) == 1 else None,
        basis=Basis(warnings=notes(f"{one['name']}: {one['text']}" for one in data["basis"])),
        parts=[*(part for part, _complete in points), *_verdict_parts(every)],
        link=link,
    )


def _rows(data: Json, key: str) -> Rows:
    for table in data["tables"]:
        if table["key"] == key:
            names = [column["key"] for column in table["columns"]]
            return [dict(zip(names, row, strict=True)) for row in table["rows"]]
    return []


def _points(data: Json) -> Rows:
    """Return the rows of the points with their intervals: both tables have the same order."""
    rows, intervals = _rows(data, "points"), _rows(data, "intervals")
    if len(intervals) != len(rows):
        return rows
    return [
        {**{k: v for k, v in ends.items() if k != "curve"}, **row} if ends["x"] == row["x"] else row
        for ends, row in zip(intervals, rows, strict=True)
    ]


def _units(data: Json) -> dict[str, str]:
    (columns,) = [table["columns"] for table in data["tables"] if table["key"] == "points"]
    return {column["key"]: column["unit"] for column in columns}


def _by_point(data: Json) -> dict[tuple[str, str], Rows]:
    """Return the verdicts by curve and value; a single curve has no name in the points table."""
    named = any("curve" in row for row in _rows(data, "points"))
    result: dict[tuple[str, str], Rows] = defaultdict(list)
    for row in _rows(data, "verdicts"):
        result[row["curve"] if named else "", row["x"]].append(row)
    return result


def _point(row: Json, data: Json, verdicts: dict[tuple[str, str], Rows]) -> tuple[Part, bool]:
    """Return the medians at a value, and whether all of them may be shown."""
    here = verdicts.get((row.get("curve", ""), row["x"]), [])
    withheld = next((one["verdict"] for one in here if one["verdict"] in WITHHELD), None)
    units = _units(data)
    measured = [key for key in METRICS if row.get(key) is not None]
    figures = [_figure(row, key, units) for key in measured]
    known = [one for one in figures if one is not None]
    complete = withheld is None and bool(measured) and len(known) == len(measured)
    few = f"No medians: {row['repeats']} repeats, an interval needs {MIN_RUNS}."
    warning = [f"No medians: {withheld.replace('_', ' ')}."] if withheld else [few]
    part = Part(
        about={"curve": quoted(row.get("curve", "")), "at": clean(row["x"])},
        verdict=withheld,
        basis=Basis(
            level=Side(repeats=row["repeats"]), warnings=[] if complete else warning
        ),
        figures=known if withheld is None else [],
    )  # fmt: skip
    return part, complete


def _figure(row: Json, key: str, units: dict[str, str]) -> Figure | None:
    low, high = row.get(f"{key}_low"), row.get(f"{key}_high")
    if low is None or high is None:
        return None
    return Figure(of=f"repeats at {clean(row['x'])}", metric=key, unit=units[key],
                  n=row["repeats"], median=row[key], interval=(low, high))  # fmt: skip


def _verdict_parts(rows: Rows) -> Iterator[Part]:
    for row in rows:
        verdict = row["verdict"]
        yield Part(
            about={"curve": quoted(row["curve"]), "at": clean(row["x"]),
                   "metric": clean(row["metric"])},
            sentence=sentences([row["text"]]),
            verdict=verdict,
            interval_percent=interval_percent(verdict, row["low"], row["high"]),
            basis=Basis(
                baseline=Side(repeats=row["baseline_n"], blocks=row.get("baseline_blocks")),
                level=Side(repeats=row["n"], blocks=row.get("blocks")),
                warnings=[] if verdict in COMPARED else ["No numbers: see the sentence."],
            ),
        )  # fmt: skip

"""Tool `compare`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchlab_client.client import Client
from benchlab_client.comparison import Comparison
from benchlab_client.mcp.answers import (
    COMPARED,
    Answer,
    Basis,
    Part,
    Side,
    clean,
    interval_percent,
    notes,
    quoted,
    sentences,
)

Json = dict[str, Any]
DECIDED = ("better", "worse")


def compare(client: Client, **selection: Any) -> Answer:
    """Return the verdicts of a comparison."""
    comparison = client.compare(**selection)
    data = comparison.data
    parts = [part for row in _in_order(data) for part in _parts(row, data)]
    if not parts:
        return Answer(
            sentence="There is nothing to compare: no workload was measured under two levels.",
            basis=Basis(warnings=_left_out(data)),
            link=comparison.page,
        )
    first = parts[0]
    one = len(data["summary"]) == 1
    kinds = {row["verdict"] for row in data["summary"]}
    return Answer(
        about={"baseline": quoted(data["baseline"]), "factor": clean(data["factor"])},
        sentence=first.sentence if one else _headline(comparison),
        verdict=first.verdict if len(kinds) == 1 else None,
        interval_percent=first.interval_percent if one else None,
        basis=Basis(
            comparisons_corrected_for=data["family"],
            warnings=[*(first.basis.warnings if one else ()), *_left_out(data)],
        ),
        parts=parts,
        link=comparison.page,
    )


def _in_order(data: Json) -> list[Json]:
    """Return the rows that the headline names first: their parts are never left out."""
    named = [_key(row) for line in data["headline"] for row in line["workloads"]]
    order = {key: place for place, key in reversed(list(enumerate(named)))}
    return sorted(data["summary"], key=lambda row: order.get(_key(row), len(named)))


def _key(row: Json) -> tuple[str, str, str]:
    return row["name"], row["where"], row["level"]


def _headline(comparison: Comparison) -> str:
    return sentences(comparison.headline)


def _parts(row: Json, data: Json) -> Iterator[Part]:
    """Yield the verdict of a level, then those of other metrics that differ from it."""
    workload = _workload(row, data)
    verdict = row["verdict"]
    basis = Basis(
        baseline=Side(repeats=row["baseline_n"], blocks=row["baseline_blocks"]),
        level=Side(repeats=row["n"], blocks=row["blocks"]),
        test=row["test"],
        confidence_percent=_confidence(row),
        comparisons_corrected_for=data["family"],
        repeats_needed=row["needed"],
        what_differs=notes(_differing(row, workload)),
        warnings=notes(_warnings(row, workload)),
    )
    about = {
        "workload": quoted(row["name"]), "where": quoted(row["where"]),
        "level": quoted(row["level"]), "baseline": quoted(data["baseline"]),
    }  # fmt: skip
    yield Part(
        about={**about, "metric": row["metric"]},
        sentence=sentences([row["text"]]),
        verdict=verdict,
        interval_percent=interval_percent(verdict, row["effect"]["low"], row["effect"]["high"]),
        basis=basis,
    )
    if verdict not in COMPARED:
        return
    for cell in workload.get("cells", ()):
        other = cell["level"] == row["level"] and cell["metric"] != row["metric"]
        if other and cell["verdict"] in DECIDED and cell["verdict"] != verdict:
            sides = (_known(cell["baseline_values"]), _known(cell["values"]))
            yield Part(
                about={**about, "metric": cell["metric"]},
                sentence=sentences([cell["text"]]),
                verdict=cell["verdict"],
                interval_percent=interval_percent(
                    cell["verdict"], cell["effect"]["low"], cell["effect"]["high"]
                ),
                basis=Basis(
                    baseline=Side(repeats=sides[0], blocks=None),
                    level=Side(repeats=sides[1], blocks=None),
                    comparisons_corrected_for=data["family"],
                ),
            )


def _workload(row: Json, data: Json) -> Json:
    """Return the details of a row; empty if its name does not identify one."""
    found = [
        one
        for one in data["workloads"]
        if (one["name"], one["where"]) == (row["name"], row["where"])
    ]
    return found[0] if len(found) == 1 else {}


def _confidence(row: Json) -> float | None:
    return None if row["confidence"] is None else round(row["confidence"] * 100, 4)


def _differing(row: Json, workload: Json) -> Iterator[str]:
    for one in workload.get("confounders", ()):
        if one["level"] == row["level"]:
            values = f"{quoted(one['baseline_has'])} against {quoted(one['level_has'])}"
            yield f"{clean(one['name'])}: {values}"


def _warnings(row: Json, workload: Json) -> Iterator[str]:
    if row["level"] in workload.get("drifts", ()):
        yield f"Results of {quoted(row['level'])} drift over time."
    if row["verdict"] in COMPARED:
        for name in ("spreads", "within_tests"):
            yield from (o["text"] for o in workload.get(name, ()) if o["level"] == row["level"])


def _left_out(data: Json) -> list[str]:
    results = (f"{n} results left out: {why}" for why, n in data["excluded_results"].items())
    cases = (f"{n} cases without result: {why}" for why, n in data["cases_without_result"].items())
    return notes([*results, *cases])


def _known(values: list[float | None]) -> int:
    return sum(value is not None for value in values)

"""Tools `find`, `run`, `why_invalid`, `expectations` and `check_plan`."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any
from urllib.parse import parse_qs, urlsplit

from benchlab_client.calls.runs import ENDED_STATES
from benchlab_client.client import Client
from benchlab_client.errors import UsageError
from benchlab_client.mcp.answers import (
    Answer,
    Basis,
    Figure,
    Part,
    Side,
    clean,
    quoted,
    sentences,
)
from benchlab_client.output import duration

Json = dict[str, Any]
MAX_ROWS = 500
"""Limit of rows that are read for one answer."""
MAX_NUMBERS = 12


def find(client: Client, words: str, kind: str | None) -> Answer:
    """Return what contains all words."""
    hits = client.search(words, kind=kind)["hits"]
    parts = [_hit(one["kind"], row) for one in hits for row in one["results"]]
    warnings = [f"Of {one['kind']} nothing has these words; names alike are listed."
                for one in hits if one["alike"] and one["results"]]  # fmt: skip
    counts = ", ".join(f"{len(one['results'])}{'+' if one['more'] else ''} {one['kind']}"
                       for one in hits if one["results"])  # fmt: skip
    return Answer(
        about={"words": quoted(words)},
        sentence=f"Found: {counts}." if counts else "Nothing has these words.",
        basis=Basis(warnings=warnings),
        parts=parts,
        link=client.page_url("search/"),
    )


def _hit(kind: str, row: Any) -> Part:
    about: dict[str, str | int] = {"kind": kind, "name": quoted(row["name"])}
    if row["id"] is not None:
        about["id"] = row["id"]
    if row["about"]:
        about["details"] = quoted(row["about"])
    if key := parse_qs(urlsplit(row["page"]).query).get("workload"):
        about["workload"] = clean(key[0])
    return Part(about=about)


def run(client: Client, number: int) -> Answer:
    """Return the state of a run and its workloads. It has no results: compare has them."""
    row = client.run(number)
    progress = row["progress"]
    parts, more = _workloads(client, number)
    about: dict[str, str | int] = {
        "name": quoted(row["name"]), "state": row["state"], "owner": quoted(row["owner"]),
        "hosts": ", ".join(map(quoted, row["hosts"][:MAX_NUMBERS])), "note": quoted(row["note"]),
        "baseline": quoted(row["baseline"]), "queued_at": row["queued_at"],
        "plan": row["plan"] or "none",
    }  # fmt: skip
    counts = ("total", "succeeded", "failed", "lost", "unconfirmed", "cancelled", "skipped")
    about |= {f"cases_{name}": progress[name] for name in counts if progress[name]}  # type: ignore[literal-required] # counts of the typed dictionary
    text = f"Run {number} is {row['state']}: {progress['done']} of {progress['total']} cases ended."
    left = progress["remaining"]
    warnings = [] if row["state"] in ENDED_STATES else ["It has not ended: verdicts may change."]
    if left is not None and row["state"] not in ENDED_STATES:
        warnings.append(f"About {duration(left)} remain.")
    return Answer(
        about=about,
        sentence=sentences([text, *([row["reason"]] if row["reason"] else [])]),
        basis=Basis(warnings=warnings),
        parts=parts,
        more=more,
        link=client.page_url(f"runs/{number}/"),
    )


def _workloads(client: Client, number: int) -> tuple[list[Part], str]:
    """Return the workloads of a run with their keys, repeats and blocks."""
    cases = list(islice(client.cases(run=number), MAX_ROWS + 1))
    groups: dict[tuple[str, str, str], list[Any]] = defaultdict(list)
    for case in reversed([one for one in cases[:MAX_ROWS] if one["purpose"] == "measure"]):
        groups[case["workload"], case["tuning_name"], case["target_name"]].append(case)
    parts = [
        Part(
            about={"workload": clean(key), "label": quoted(rows[0]["label"]),
                   "tuning": quoted(tuning), "target": quoted(target)},
            basis=Basis(level=Side(
                repeats=sum(row["state"] == "succeeded" for row in rows),
                blocks=len({row["block"] for row in rows if row["state"] == "succeeded"} - {0}),
            )),
        )
        for (key, tuning, target), rows in groups.items()
    ]  # fmt: skip
    return parts, _more(cases)


def _more(rows: list[Any]) -> str:
    return f"Only {MAX_ROWS} rows were read, see link." if len(rows) > MAX_ROWS else ""


def why_invalid(client: Client, run: int | None, case: int | None) -> Answer:
    """Return the reasons of results that do not count, and of cases without a result."""
    _one(run=run, case=case)
    invalid = list(islice(client.measurements(run=run, case=case, valid=False), MAX_ROWS + 1))
    failed = _failed(client, run, case)
    parts = [
        *_reasons("invalid result", [(row["invalid_reason"], row["case"]) for row in invalid]),
        *_reasons("case without result", [(_cause(row), row["id"]) for row in failed]),
    ]
    counted = f"{_count(invalid)} invalid results and {_count(failed)} cases without a result"
    lines = [f"{counted}.", *(part.sentence for part in parts)]
    where = f"runs/{run}/" if run is not None else f"cases/{case}/"
    return Answer(
        sentence=sentences(lines),
        parts=parts,
        more=_more(invalid) or _more(failed),
        link=client.page_url(where),
    )


def _one(**numbers: int | None) -> None:
    if sum(one is not None for one in numbers.values()) != 1:
        raise UsageError(f"Name one of: {', '.join(numbers)}.")


def _count(rows: list[Any]) -> str:
    return f"{MAX_ROWS}+" if len(rows) > MAX_ROWS else str(len(rows))


def _failed(client: Client, run: int | None, case: int | None) -> list[Any]:
    states = ["failed", "lost", "cancelled", "skipped", "unconfirmed"]
    if case is None:
        return list(islice(client.cases(run=run, state=states), MAX_ROWS + 1))
    row = client.case(case)
    return [row] if row["state"] in states else []


def _cause(row: Any) -> str:
    cause = f" (cause: {row['failure_cause']})" if row["failure_cause"] else ""
    return f"{row['reason'] or row['state']}{cause}"


def _reasons(what: str, rows: Iterable[tuple[str, int]]) -> Iterator[Part]:
    """Yield a part for each reason with the numbers of its cases."""
    cases: dict[str, list[int]] = defaultdict(list)
    for reason, case in rows:
        cases[reason].append(case)
    for reason, numbers in sorted(cases.items(), key=lambda one: -len(one[1])):
        distinct = list(dict.fromkeys(numbers))
        listed = ", ".join(map(str, distinct[:MAX_NUMBERS]))
        rest = len(distinct) - MAX_NUMBERS
        yield Part(
            about={"what": what, "count": len(numbers),
                   "cases": f"{listed} and {rest} more" if rest > 0 else listed},
            sentence=sentences([reason]),
        )  # fmt: skip


def expectations(client: Client, run: int | None, case: int | None) -> Answer:
    """Return the expectations of a run or a case with their verdicts, the missed ones first."""
    _one(run=run, case=case)
    order = ("missed", "inconclusive", "unknown", "met")
    rows = sorted(
        client.expectations(run=run, case=case), key=lambda row: order.index(row["verdict"])
    )
    counts = Counter(row["verdict"] for row in rows)
    text = ", ".join(f"{counts[one]} {one}" for one in order if counts[one])
    where = f"runs/{run}/expectations/" if run is not None else f"cases/{case}/"
    return Answer(
        sentence=f"Expectations: {text}." if rows else "There are no expectations.",
        verdict=rows[0]["verdict"] if len(counts) == 1 else None,  # type: ignore[arg-type] # one of the API
        parts=[_expectation(row) for row in rows],
        link=client.page_url(where),
    )


def _expectation(row: Any) -> Part:
    has_interval = row["is_exact"] and row["median"] is not None
    figures = [
        Figure(
            of="valid repeats", metric=row["metric"], unit=_unit(row["metric"]), n=row["repeats"],
            median=row["median"], interval=(row["interval_low"], row["interval_high"]),
        )
    ] if has_interval else []  # fmt: skip
    few = ["Fewer than 6 repeats: the verdict is that of their range, and no median is stated."]
    names = {"step": row["step"], "target": row["target"], "tuning": row["tuning_name"]}
    return Part(
        about={**{name: quoted(text) for name, text in names.items() if text},
               "workload": clean(row["workload"]), "operation": clean(row["operation"]),
               "metric": clean(row["metric"])},
        sentence=sentences([f"{row['text']}: {row['verdict']}.", row["reason"]]),
        verdict=row["verdict"],
        basis=Basis(
            level=Side(repeats=row["repeats"]),
            warnings=few if row["repeats"] and not has_interval else [],
        ),
        figures=figures,
    )  # fmt: skip


def _unit(metric: str) -> str:
    """Return the unit of the API's values."""
    return {"iops": "1/s", "bandwidth": "bytes/s"}.get(metric, "ns")


def check_plan(client: Client, draft: Json) -> Answer:
    """Return the preview of a draft; nothing is stored."""
    preview = client.plan_check(**draft)
    problems = preview["problems"]
    parts = [
        *(_note("problem", one["field"], one["message"]) for one in problems),
        *(_note("warning", one["field"], one["message"]) for one in preview["warnings"]),
        *(_note("advice", one["field"], f"{one['message']} {one['reason']}")
          for one in preview["advice"]),
    ]  # fmt: skip
    size = f"{preview['case_count']} cases, about {duration(preview['seconds'])}"
    text = (
        f"It cannot be launched: {len(problems)} problems." if problems
        else f"A launch would be accepted: {size}. Nothing was stored or launched."
    )  # fmt: skip
    return Answer(
        about={"cases": preview["case_count"], "seconds": int(preview["seconds"]),
               "bytes_written": _or_unknown(preview["bytes_written"])},
        sentence=sentences([text, *(one["message"] for one in problems)]),
        parts=parts,
        link=client.page_url("plans/"),
    )  # fmt: skip


def _or_unknown(value: int | None) -> str | int:
    return "unknown" if value is None else value


def _note(kind: str, field: str, message: str) -> Part:
    return Part(about={"kind": kind, "field": clean(field)}, sentence=sentences([message]))

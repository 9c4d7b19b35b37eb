"""Answers of the tools without a server: what is withheld, size, quoted names, errors."""

from __future__ import annotations

import json
import subprocess
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest
from client.tests.mcp_walk import walk
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp import Client as Assistant

from benchlab_client import Client, UsageError
from benchlab_client.mcp import comparing, over_time, records, sweeping
from benchlab_client.mcp.answers import (
    MAX_BYTES,
    WITHHELD,
    Answer,
    Basis,
    Figure,
    Part,
    as_json,
    bounded,
    quoted,
    size,
)
from benchlab_client.mcp.server import create_server

KINDS = ("better", "worse", "no_difference", "too_few_repeats", "not_comparable", "not_tested")
EFFECT = {"ratio": 1.21, "typical": 1.2, "low": 1.1, "high": 1.3}
Json = dict[str, Any]


def answering(answers: Json) -> Client:
    def reply(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json=answers[request.url.path.removeprefix("/api/v1/")])

    return Client("http://lab", "token", http=httpx.MockTransport(reply))


def walked(answer: Answer) -> Json:
    document: Json = json.loads(as_json(bounded(answer)))
    walk(document)
    return document


def cell(metric: str, kind: str) -> Json:
    return {"metric": metric, "level": "none", "baseline_values": [1.0, None], "values": [2.0],
            "effect": EFFECT, "p": 0.01, "p_corrected": 0.02, "verdict": kind,
            "text": f"{kind}: +30.1 %."}  # fmt: skip


def comparison(kind: str) -> Json:
    row = {"name": "read 4k", "where": "", "level": "none", "metric": "iops", "baseline_n": 6,
           "n": 5, "effect": EFFECT, "verdict": kind, "text": f"Sentence of {kind}.",
           "baseline_blocks": 6, "blocks": 5, "test": "all", "confidence": 0.99,
           "needed": None}  # fmt: skip
    if kind in WITHHELD:
        row |= {"test": None, "confidence": None, "needed": 8}
    workload = {
        "name": "read 4k", "where": "", "drifts": ["none"],
        "confounders": [{"level": "none", "name": "kernel", "baseline_has": "6.1",
                         "level_has": "6.8"}],
        "spreads": [{"level": "none", "text": "The spread is 2.1 times as large, 3 ms."}],
        "within_tests": [], "cells": [cell("latency_p99", "worse"), cell("iops", kind)],
    }  # fmt: skip
    return {
        "query": "run=1", "factor": "tuning", "levels": ["base", "none"], "baseline": "base",
        "family": 7, "excluded_results": {"cut": 2}, "cases_without_result": {},
        "headline": [{"text": f"Sentence of {kind}.", "workloads": [row]}], "summary": [row],
        "workloads": [workload],
    }  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_a_comparison_has_the_numbers_that_its_verdict_allows(kind: str) -> None:
    answer = walked(comparing.compare(answering({"compare/": comparison(kind)}), run=[1]))
    assert answer["sentence"] == f"Sentence of {kind}."
    assert answer["verdict"] == kind
    assert ("interval_percent" in answer) == (kind not in WITHHELD)
    first, *others = answer["parts"]
    assert first["basis"]["level"] == {"repeats": 5, "blocks": 5}
    assert first["basis"]["what_differs"] == ["kernel: “6.1” against “6.8”"]
    assert [one["about"]["metric"] for one in others] == (
        ["latency_p99"] if kind in ("better", "no_difference") else []
    )
    assert "1.2" not in json.dumps(answer)


def change(runs: int) -> Json:
    known = [0.9, 1.1] if runs >= 6 else None
    return {"at": "2026-03-12T00:00:00Z", "tuning": "base", "ratio": 1.5, "before": 1.0,
            "after": 1.5, "before_interval": [0.9, 1.1], "runs_before": 12, "runs_after": runs,
            "after_interval": [1.4, 1.6] if known else None, "run": 7, "verdict": "worse",
            "changes": [], "text": "base: 50 % higher (1.5 ms, before 1 ms)."}  # fmt: skip


@pytest.mark.parametrize(("runs", "verdict"), [(5, "too_few_repeats"), (6, "worse")])
def test_a_change_has_both_medians_with_intervals_or_no_number(runs: int, verdict: str) -> None:
    level = {"tuning": "other", "runs": 3, "runs_since": 3, "has_changed": False, "median": 2.0,
             "median_interval": None, "text": "other: no change in 3 runs."}  # fmt: skip
    data = {"label": "read", "operation": "read", "metric": "latency_p99", "unit": "ns",
            "more": False, "change_points": [change(runs)], "levels": [level]}  # fmt: skip
    answer = walked(over_time.history(answering({"history/": data}), "key"))
    first, second = answer["parts"]
    assert first["verdict"] == verdict
    assert len(first.get("figures", ())) == (2 if runs >= 6 else 0)
    assert ("50 %" in answer["sentence"]) == (runs >= 6)
    assert "figures" not in second


def table(key: str, rows: list[Json]) -> Json:
    columns = [{"key": name, "unit": "1/s"} for name in rows[0]]
    return {"key": key, "columns": columns, "rows": [list(row.values()) for row in rows]}


@pytest.mark.parametrize("kind", KINDS)
def test_a_sweep_withholds_medians_that_cannot_be_compared(kind: str) -> None:
    row = {"curve": "none", "x": "16", "iops": 100.0, "repeats": 6}
    ends = {"curve": "none", "x": "16", "iops_low": 90.0, "iops_high": 110.0}
    verdict = {"curve": "none", "x": "16", "metric": "IOPS", "verdict": kind, "low": 1.1,
               "high": 1.3, "baseline_n": 6, "n": 6, "baseline_blocks": 6, "blocks": 3,
               "text": f"Sentence of {kind}."}  # fmt: skip
    finding = {"verdict": kind, "text": f"At 16: {kind}."}
    data = {
        "query": "run=1", "empty": "", "title": "Over depth", "subject": "", "basis": [],
        "headline": f"Knee at 16, 100 IOPS.\n{finding['text']}", "verdicts": [finding],
        "tables": [
            table("points", [row, {**row, "curve": "base"}]),
            table("intervals", [ends, {**ends, "curve": "base"}]), table("verdicts", [verdict]),
        ],
    }  # fmt: skip
    answer = walked(sweeping.sweep(answering({"analysis/sweep/": data}), run=[1]))
    points = {part["about"]["curve"]: part for part in answer["parts"][:2]}
    assert ("figures" in points["“none”"]) == (kind not in WITHHELD)
    assert "figures" in points["“base”"]
    assert ("100 IOPS" in answer["sentence"]) == (kind not in WITHHELD)
    assert ("interval_percent" in answer["parts"][2]) == (kind not in WITHHELD)
    basis = answer["parts"][2]["basis"]
    assert basis["baseline"] == {"repeats": 6, "blocks": 6}
    assert basis["level"] == {"repeats": 6, "blocks": 3}


@pytest.mark.parametrize(
    ("verdict", "exact"),
    [("met", True), ("missed", True), ("inconclusive", False), ("unknown", False), ("met", False)],
)
def test_an_expectation_has_a_median_with_an_exact_interval_only(verdict: str, exact: bool) -> None:
    row = {"verdict": verdict, "is_exact": exact, "repeats": 6 if exact else 2, "median": 5.0,
           "interval_low": 4.0, "interval_high": 6.0, "metric": "iops", "step": "", "target": "sdb",
           "tuning_name": "", "workload": "key", "operation": "read",
           "text": "IOPS at least 4", "reason": "So it is."}  # fmt: skip
    answer = walked(records.expectations(answering({"expectations/": [row]}), 1, None))
    (part,) = answer["parts"]
    assert ("figures" in part) == exact
    assert answer["verdict"] == part["verdict"] == verdict


TEXTS = st.text(max_size=3_000)
INTERVALS = st.tuples(st.floats(-1e9, 0), st.floats(0, 1e9))
FIGURES = st.builds(
    lambda of, ends: Figure(of=of, metric="iops", unit="1/s", n=6, median=0.0, interval=ends),
    TEXTS, INTERVALS,
)  # fmt: skip
PARTS = st.builds(
    Part,
    about=st.dictionaries(TEXTS, TEXTS | st.integers(), max_size=4),
    sentence=TEXTS,
    verdict=st.sampled_from([None, *KINDS]),
    interval_percent=INTERVALS,
    basis=st.builds(Basis, warnings=st.lists(TEXTS, max_size=4)),
    figures=st.lists(FIGURES, max_size=3),
)


@settings(max_examples=60, deadline=None)
@given(part=PARTS, parts=st.lists(PARTS, max_size=30), link=TEXTS)
def test_no_answer_is_larger_than_the_limit(part: Part, parts: list[Part], link: str) -> None:
    answer = bounded(Answer(**part.model_dump(), parts=parts, link=link))
    assert size(answer) <= MAX_BYTES
    if len(answer.parts) < len(parts) and answer.parts:
        assert answer.more == f"{len(parts) - len(answer.parts)} more, see link."
    for one in (answer, *answer.parts):
        if one.verdict in WITHHELD:
            assert one.interval_percent is None
            assert one.figures == []


@given(st.text())
def test_a_quoted_name_stays_in_its_quotes_and_line(name: str) -> None:
    text = quoted(name)
    assert (text[0], text[-1]) == ("“", "”")
    assert not set(text[1:-1]) & {"“", "”"}
    assert len(text) <= 82
    assert not any(unicodedata.category(one) in ("Cc", "Cf", "Zl", "Zp") for one in text)


def test_a_refusal_is_the_sentence_of_the_server() -> None:
    def refuse(_request: httpx.Request) -> httpx.Response:
        error = {"kind": "invalid", "message": "There is no such run.", "fields": {}}
        return httpx.Response(404, json={"error": error})

    assert "There is no such run." in call_tool(refuse, "run", {"run": 1})
    assert "run" in call_tool(refuse, "why_invalid", {})
    assert "greater than or equal to 1" in call_tool(refuse, "run", {"run": 0})


def call_tool(reply: Callable[[httpx.Request], httpx.Response], tool: str, arguments: Json) -> str:
    server = create_server(Client("http://lab", "token", http=httpx.MockTransport(reply)))

    async def call() -> str:
        async with Assistant(server) as assistant:
            result = await assistant.call_tool(tool, arguments)
            assert result.is_error
            return str(result.content)

    return anyio.run(call)


def test_the_rest_of_the_client_needs_no_package_of_it() -> None:
    code = (
        "import sys; sys.modules['mcp'] = None; sys.modules['pydantic'] = None\n"
        "from benchlab_client.cli import main\n"
        "sys.exit(main(['mcp', '--url', 'http://lab']))"
    )
    source = str(Path(__file__).parents[1] / "src")
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False,
        env={"PYTHONPATH": source, "BENCHLAB_TOKEN": "t", "HOME": "/nonexistent"},
    )  # fmt: skip
    assert done.returncode == UsageError.exit_code, done.stderr
    assert "benchlab-client[mcp]" in done.stderr

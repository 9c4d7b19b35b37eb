"""What no answer of a tool may contain."""

from __future__ import annotations

import json
import re
from typing import Any

from benchlab_client.mcp.answers import MAX_BYTES, WITHHELD

COUNTS = {"repeats", "blocks", "comparisons_corrected_for", "repeats_needed", "confidence_percent"}
FIGURE = {"of", "metric", "unit", "n", "median", "interval"}
MEASURED = re.compile(r"\d\s?(%|ms|µs|ns|[KMGT]?i?B/s|IOPS)")


def walk(answer: dict[str, Any]) -> None:
    """Fail on a number that an answer must not have."""
    assert len(json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode()) <= MAX_BYTES
    assert answer["link"].startswith("http")
    for part in (answer, *answer.get("parts", ())):
        _part(part)


def _part(part: dict[str, Any]) -> None:
    known = {"about", "sentence", "verdict", "interval_percent", "basis", "figures", "parts",
             "more", "link"}  # fmt: skip
    assert set(part) <= known
    for figure in part.get("figures", ()):
        assert set(figure) == FIGURE
        low, high = figure["interval"]
        assert low <= figure["median"] <= high
        assert figure["n"] >= 6
    numbers = dict(_numbers(part.get("basis", {})))
    assert set(numbers) <= COUNTS
    if part.get("verdict") in WITHHELD:
        assert "interval_percent" not in part
        assert "figures" not in part
        assert "confidence_percent" not in numbers
        assert not MEASURED.search(part.get("sentence", "")), part["sentence"]
        for text in part.get("basis", {}).get("warnings", ()):
            assert not MEASURED.search(text), text
    if part.get("verdict") in ("better", "worse", "no_difference") and "interval_percent" in part:
        assert {"level", "baseline"} <= set(part["basis"]) or "parts" in part


def _numbers(value: Any, key: str = "") -> Any:
    if isinstance(value, dict):
        for name, one in value.items():
            yield from _numbers(one, name)
    elif isinstance(value, list):
        for one in value:
            yield from _numbers(one, key)
    elif isinstance(value, int | float):
        yield key, value

"""Figures of benchmarks and the rows that give them."""

from __future__ import annotations

import importlib

import pytest

from tests.bench.__main__ import ROWS
from tests.bench.figure import Figure


@pytest.mark.parametrize(
    ("value", "limit", "at_least", "missed"),
    [(0.2, 0.3, False, False), (0.4, 0.3, False, True), (0.9, 0.98, True, True), (9, None, 0, 0)],
)
def test_figure_beyond_its_limit_is_missed(
    value: float, limit: float | None, at_least: bool, missed: bool
) -> None:
    assert Figure("x", value, limit, at_least=at_least).is_missed == missed


@pytest.mark.parametrize("name", ROWS)
def test_every_named_row_can_be_measured(name: str) -> None:
    assert callable(importlib.import_module(f"tests.bench.{name}").measure)

"""Two results are repeats only where all that their outputs state of the test is equal."""

from __future__ import annotations

import dataclasses
import operator
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.tools.errors import OutputError, ToolError
from apps.tools.parse_result import Measurement, Output, Parsed
from apps.tools.registry import TOOLS, parse_output, recognise
from apps.tools.workloads.points import Point, points_of

TOOLS_FOLDER = Path(__file__).parents[1]
MOST_BYTES = 400_000
POINTS = 3


def _samples() -> Iterator[Path]:
    for folder in [*sorted(TOOLS_FOLDER.glob("*/tests/samples")), TOOLS_FOLDER / "tests/samples"]:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.stat().st_size < MOST_BYTES and path.suffix != ".list":
                yield path


@cache
def _parsed(path: Path) -> Parsed | None:
    data = path.read_bytes()
    try:
        tool = recognise(data)
        return parse_output(tool.name, Output({"stdout": data})) if tool else None
    except (OutputError, ToolError):
        return None


def _results() -> Iterator[Any]:
    for path in _samples():
        parsed = _parsed(path)
        wholes = [each for each in parsed.measurements if not each.component] if parsed else []
        for index, result in enumerate(wholes[:POINTS]):
            assert parsed is not None
            name = f"{path.relative_to(TOOLS_FOLDER)}-{index}"
            yield pytest.param(parsed, result, id=name)


RESULTS = list(_results())
OTHER_VALUES = st.one_of(
    st.integers(1, 2**40), st.booleans(), st.sampled_from(["read", "randwrite", "seq", "other"])
)


def _point(parsed: Parsed, result: Measurement) -> Point:
    (point,) = points_of(dataclasses.replace(parsed, measurements=(result,)))
    return point


def _are_repeats(first: Point, second: Point) -> bool:
    return (first.key, first.target) == (second.key, second.target)


@pytest.mark.parametrize("name", sorted(TOOLS))
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_result_with_another_parameter_is_no_repeat(name: str, data: st.DataObject) -> None:
    of_tool = [each.values for each in RESULTS if each.values[0].tool == name]
    parsed, result = data.draw(st.sampled_from(of_tool))
    first = _point(parsed, result)
    for name, value in result.params.items():
        other = data.draw(OTHER_VALUES.filter(partial(operator.ne, value)))
        changed = dataclasses.replace(result, params={**result.params, name: other})
        assert not _are_repeats(first, _point(parsed, changed)), (name, value, other)


@pytest.mark.parametrize(("parsed", "result"), RESULTS)
def test_result_that_states_less_or_more_is_no_repeat(parsed: Parsed, result: Measurement) -> None:
    first = _point(parsed, result)
    assert _are_repeats(first, _point(parsed, dataclasses.replace(result)))
    for name in result.params:
        rest = {key: value for key, value in result.params.items() if key != name}
        less = dataclasses.replace(result, params=rest)
        assert not _are_repeats(first, _point(parsed, less)), name
    unread = dataclasses.replace(result, unread_options=(*result.unread_options, "--unknown=1"))
    assert not _are_repeats(first, _point(parsed, unread))
    assert not _point(parsed, unread).exact
    elsewhere = dataclasses.replace(result, target="/dev/another")
    assert not _are_repeats(first, _point(parsed, elsewhere))


def test_every_tool_with_a_parser_has_results_here() -> None:
    assert {parameter.values[0].tool for parameter in RESULTS} == TOOLS.keys()

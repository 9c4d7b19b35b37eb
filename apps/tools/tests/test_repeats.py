"""Two results are repeats only where all that their outputs state of the test is equal."""

from __future__ import annotations

import dataclasses
import operator
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path

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


@cache
def _results(name: str) -> list[tuple[Parsed, Measurement]]:
    """The first results of each sample of a tool."""
    return [pair for pair in _all_results() if pair[0].tool == name]


def _all_results() -> Iterator[tuple[Parsed, Measurement]]:
    for path in _samples():
        parsed = _parsed(path)
        wholes = [each for each in parsed.measurements if not each.component] if parsed else []
        for result in wholes[:POINTS]:
            assert parsed is not None
            yield parsed, result


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
    parsed, result = data.draw(st.sampled_from(_results(name)))
    first = _point(parsed, result)
    for name, value in result.params.items():
        other = data.draw(OTHER_VALUES.filter(partial(operator.ne, value)))
        changed = dataclasses.replace(result, params={**result.params, name: other})
        assert not _are_repeats(first, _point(parsed, changed)), (name, value, other)


@pytest.mark.parametrize("name", sorted(TOOLS))
def test_result_that_states_less_or_more_is_no_repeat(name: str) -> None:
    assert _results(name)
    for parsed, result in _results(name):
        _assert_no_repeat(parsed, result)


def _assert_no_repeat(parsed: Parsed, result: Measurement) -> None:
    first = _point(parsed, result)
    assert _are_repeats(first, _point(parsed, dataclasses.replace(result)))
    # The operation of a point is known beside its parameters.
    for name in set(result.params) - {"operation"}:
        rest = {key: value for key, value in result.params.items() if key != name}
        less = dataclasses.replace(result, params=rest)
        assert not _are_repeats(first, _point(parsed, less)), name
    unread = dataclasses.replace(result, unread_options=(*result.unread_options, "--unknown=1"))
    assert not _are_repeats(first, _point(parsed, unread))
    assert not _point(parsed, unread).exact
    elsewhere = dataclasses.replace(result, target="/dev/another")
    assert not _are_repeats(first, _point(parsed, elsewhere))

"""Logs of the agent are a host's input: no line of them breaks a reader or what is stored."""

from __future__ import annotations

import json
import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.tools.devices import blockstat, ceph_health, hoststat, power
from apps.tools.devices.log_lines import LARGEST, MAX_NAME, MOST_NAMES, log_entries, short_name

HUGE = "1" + "0" * 400
COUNTERS = "[1,1,1,1,1,1,1,1,1,1,1]"
NUMBERS = [HUGE, f"-{HUGE}", "Infinity", "NaN", "1e999", str(2**63), '"nan"', "true", "null", "[1]"]
SHAPES = [
    f'{{"t": %s, "name": "a", "stat": {COUNTERS}}}',
    '{"t": 2, "name": "a", "stat": [%s,1,1,1,1,1,1,1,1,1,1]}',
    '{"t": 3, "name": %s}',
    '{"t": %s, "host": {}}',
    '{"t": 2, "host": {"used": %s}}',
    '{"t": 2, "host": {"tool": %s}}',
    '{"t": 2, "host": {"switches": %s}}',
    '{"t": 2, "host": {"cpu": [%s, 1, 1, 1, 1]}}',
    '{"t": 2, "host": {"net": {"a": [%s, 1]}}}',
    '{"t": 2, "host": {"energy": {"a": %s}}}',
    '{"monotonic": %s}',
    '{"monotonic": 1, "rapl": {"a": %s}}',
    '{"monotonic": 1, "dcmi": %s}',
    '{"monotonic": %s, "checks": {}}',
    '{"monotonic": 1, "checks": %s}',
]
LINES = [shape.replace("%s", value) for shape in SHAPES for value in NUMBERS]
DEEP = ["[" * 100_000, '{"t":' * 100_000]


def read(lines: list[str]) -> list[float]:
    """Return every figure of all readers."""
    data = "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass")
    found = [series for one in blockstat.read_log(data).values()
             for series in blockstat.device_series(one)]  # fmt: skip
    found += [series for _subject, series in hoststat.host_series(hoststat.read_log(data))]
    values = [value for series in found for value in series.values if value is not None]
    readings = power.read_log(data)
    for before, after in pairwise(readings):
        watts = power.package_watts([before, after], -LARGEST, LARGEST)
        values += [] if watts is None else [watts]
    assert all(health.sentence() is not None for health in ceph_health.read_log(data))
    return values


@pytest.mark.parametrize("line", [*LINES, *DEEP, "", "1", "[]", "\ud800", '{"host": "\x00"}'])
def test_a_lie_breaks_no_reader_and_gives_finite_figures(line: str) -> None:
    around = [f'{{"t": {t}, "name": "a", "stat": {COUNTERS}}}' for t in (1, 9)]
    around += [f'{{"t": {t}, "host": {{"used": 5, "tool": {t}, "energy": {{"a": {t}}}}}}}'
               for t in (1, 9)]  # fmt: skip
    values = read([around[0], around[2], line, around[1], around[3]])
    assert values
    assert all(math.isfinite(value) for value in values)


NAMES = st.sampled_from(["t", "name", "stat", "host", "cpu", "net", "monotonic"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=12) | st.dictionaries(NAMES, inner),
    max_leaves=20,
)


@given(st.lists(JSON, max_size=4))
def test_no_json_breaks_a_reader(entries: list[object]) -> None:
    assert all(math.isfinite(value) for value in read([json.dumps(one) for one in entries]))


def test_names_are_storable_and_few() -> None:
    assert short_name("x\x00\ud800\u202e" + "y" * 500) == "x" + "\ufffd" * 3 + "y" * (MAX_NAME - 4)
    lines = [f'{{"t": 1, "name": "d{n}", "stat": {COUNTERS}}}' for n in range(MOST_NAMES + 50)]
    assert len(blockstat.read_log(("\n".join(lines) + "\n").encode())) == MOST_NAMES


def test_an_unfinished_last_line_is_left_out() -> None:
    assert list(log_entries(b'{"a": 1}\n{"b": 2}')) == [{"a": 1}]

"""Real outputs of every tool against what a person read in them: a new sample is a new folder."""

import json
from pathlib import Path
from typing import Any

import pytest

import apps.tools
from apps.tools.metrics import METRICS
from apps.tools.parse_cli import measurement_json, parse_bytes
from apps.tools.parse_result import all_warnings
from apps.tools.registry import TOOLS

ROOMS = Path(apps.tools.__file__).parent
NOT_OUTPUT = {"expected.json", "source.txt"}
SAMPLES = [
    (name, folder)
    for name in TOOLS
    for folder in sorted((ROOMS / name / "tests" / "samples").iterdir())
]
sampled = pytest.mark.parametrize(
    ("tool", "sample"), SAMPLES, ids=[f"{name}/{folder.name}" for name, folder in SAMPLES]
)


def output_of(sample: Path) -> bytes:
    """The sample's one output file."""
    (path,) = [path for path in sample.iterdir() if path.name not in NOT_OUTPUT]
    return path.read_bytes()


def assert_contains(actual: Any, expected: Any, where: str = "") -> None:
    """Everything expected is there; what was not read off by eye may be anything."""
    if isinstance(expected, dict):
        for key, value in expected.items():
            assert key in actual, f"{where}.{key} is missing"
            assert_contains(actual[key], value, f"{where}.{key}")
    elif isinstance(expected, list):
        assert len(actual) == len(expected), where
        for index, value in enumerate(expected):
            assert_contains(actual[index], value, f"{where}[{index}]")
    elif isinstance(expected, float):
        assert actual == pytest.approx(expected, rel=1e-9), where
    else:
        assert actual == expected, where


@sampled
def test_a_sample_says_what_a_person_reads_in_it(tool: str, sample: Path) -> None:
    """Recognised without its tool's name, and with known operations and metrics only."""
    expected = json.loads((sample / "expected.json").read_text())
    parsed = parse_bytes(None, output_of(sample))
    actual = {
        "tool": parsed.tool,
        "format": parsed.format,
        "version": parsed.version,
        "completeness": parsed.completeness,
        "measurements": [measurement_json(each) for each in parsed.measurements],
        "warnings": all_warnings(parsed),
    }
    assert_contains(actual, {"tool": tool, **expected}, sample.name)
    found = parsed.measurements
    assert {each.operation for each in found} <= set(TOOLS[tool].operations)
    assert {series.metric for each in found for series in each.series} <= set(METRICS)

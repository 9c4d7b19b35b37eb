"""Results in the layouts of IOMeter 2006 to 1.2 against what a person read in them."""

import json
from pathlib import Path
from typing import Any

import pytest

from apps.tools.parse_cli import measurement_json, parse_bytes

SAMPLES = sorted((Path(__file__).parent / "samples").iterdir())
NOT_OUTPUT = {"expected.json", "source.txt"}


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


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_a_sample_says_what_a_person_reads_in_it(sample: Path) -> None:
    expected = json.loads((sample / "expected.json").read_text())
    parsed = parse_bytes(None, output_of(sample))
    actual = {
        "tool": parsed.tool,
        "format": parsed.format,
        "version": parsed.version,
        "completeness": parsed.completeness,
        "measurements": [measurement_json(each) for each in parsed.measurements],
        "warnings": list(parsed.warnings),
    }
    assert_contains(actual, {"tool": "iometer", **expected}, sample.name)

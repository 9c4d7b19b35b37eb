"""Outputs of other people and other versions, compared with figures that were read off by eye.

`samples/foreign/expected.json` has, by file, the keys of `parse` that are fixed; null means that
the output does not state it. `not_repeats` are pairs of measurements that differ in their identity.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from apps.tools.errors import OutputError, ToolError
from apps.tools.parse_cli import parse_document

FOLDER = Path(__file__).parent / "samples" / "foreign"
EXPECTED: dict[str, dict[str, Any]] = json.loads((FOLDER / "expected.json").read_text())
# Files that are not read right yet; one that is read right fails here until it is removed.
PENDING = frozenset(
    (FOLDER / "pending.list").read_text().split("\n") if (FOLDER / "pending.list").exists() else ()
)
REFUSED = [name for name, expected in EXPECTED.items() if expected.get("refused")]
IDENTITY = ("params", "target", "client", "job", "group")


def cases(names: list[str]) -> list[Any]:
    pending = pytest.mark.xfail(strict=True, reason="not read right yet")
    return [pytest.param(name, marks=[pending] if name in PENDING else []) for name in names]


def close(actual: Any, expected: Any) -> bool:
    if isinstance(expected, dict):
        named = isinstance(actual, dict) and bool(expected or not actual)
        return named and all(close(actual.get(name), value) for name, value in expected.items())
    if isinstance(expected, (bool, str)) or expected is None:
        return bool(actual == expected)
    return isinstance(actual, (int, float)) and math.isclose(actual, expected, rel_tol=1e-3)


def differences(measurement: dict[str, Any], expected: dict[str, Any]) -> Iterator[str]:
    """The keys of a measurement that are not as expected."""
    for key, value in expected.items():
        if isinstance(value, dict):
            for name, inner in value.items():
                if not close(measurement[key].get(name), inner):
                    yield f"{key}.{name}: {measurement[key].get(name)} is not {inner}"
        elif not close(measurement[key], value):
            yield f"{key}: {measurement[key]} is not {value}"


def identity(measurement: dict[str, Any]) -> list[Any]:
    """The parts that make it a repeat; where nothing is known of the test also its call."""
    call = None if measurement["params"] else measurement["call"]
    return [*(measurement[key] for key in IDENTITY), call]


@pytest.mark.parametrize("name", cases([name for name in EXPECTED if name not in REFUSED]))
def test_foreign_output_is_read_as_expected(name: str) -> None:
    expected = EXPECTED[name]
    document: dict[str, Any] = dict(parse_document(None, (FOLDER / name).read_bytes(), name))
    assert document["tool"] == expected["tool"]
    assert document["completeness"] == expected.get("completeness", document["completeness"])
    measured = document["measurements"]
    assert len(measured) == len(expected["measurements"])
    pairs = zip(measured, expected["measurements"], strict=True)
    wrong = [text for pair in pairs for text in differences(*pair)]
    assert not wrong
    for first, second in expected.get("not_repeats", ()):
        one, other = measured[first], measured[second]
        assert identity(one) != identity(other)
    remarks = " ".join(document["warnings"])
    assert all(text in remarks for text in expected.get("warnings_say", ()))


@pytest.mark.parametrize("name", cases(REFUSED))
def test_foreign_output_without_a_result_is_refused_with_its_reason(name: str) -> None:
    with pytest.raises((OutputError, ToolError)) as refusal:
        parse_document(None, (FOLDER / name).read_bytes(), name)
    assert all(text in str(refusal.value) for text in EXPECTED[name]["says"])

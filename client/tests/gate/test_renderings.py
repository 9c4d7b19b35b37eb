"""JUnit XML, summary and annotations: escapes, limits, order."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Callable
from xml.etree import ElementTree

import pytest
from junitparser import Error, Failure, JUnitXml, Skipped

from benchlab_client.gate import junit, summary
from benchlab_client.gate.annotations import annotation_lines
from benchlab_client.gate.decisions import Gate
from benchlab_client.gate.junit import write_junit
from benchlab_client.gate.summary import summary_text

from .answers import ODD, gate, odd_gate, row

GOLDEN = Path(__file__).parent / "golden"


def junit_bytes(one: Gate, undecided: str = "") -> bytes:
    file = io.BytesIO()
    write_junit(one, file, undecided=undecided or None)
    return file.getvalue()


RENDERINGS: dict[str, Callable[[], bytes]] = {
    "junit.xml": lambda: junit_bytes(odd_gate()),
    "summary.md": lambda: summary_text(odd_gate()).encode(),
    "annotations.txt": lambda: "\n".join(annotation_lines(odd_gate())).encode(),
}


@pytest.mark.parametrize("name", sorted(RENDERINGS))
def test_rendering_of_odd_names_equals_its_golden_file(name: str) -> None:
    assert RENDERINGS[name]() == (GOLDEN / name).read_bytes()


@pytest.mark.parametrize(("undecided", "kind"), [("", Skipped), ("fail", Failure)])
def test_junit_is_read_back_by_junitparser(tmp_path: Path, undecided: str, kind: type) -> None:
    file = tmp_path / "gate.xml"
    file.write_bytes(junit_bytes(odd_gate(), undecided))
    (suite,) = list(JUnitXml.fromfile(str(file)))
    cases = list(suite)
    assert (suite.tests, len(cases)) == (7, 7)
    assert [type(one) for case in cases for one in case.result] == [Failure, Error, Error, kind]
    assert len({case.name for case in cases}) == 7
    assert "1,000 IOPS, n = 6" in cases[0].system_out
    assert cases[0].result[0].text.endswith("failed")


def test_junit_of_a_huge_gate_stays_below_the_limits_of_gitlab() -> None:
    rows = [row("failed", workload=f"w{number}", text="x" * 900) for number in range(20_000)]
    data = junit_bytes(gate(*rows))
    root = ElementTree.fromstring(data)
    nodes = sum(1 + len(node.attrib) + bool(node.text) for node in root.iter())
    assert len(data) < 30_000_000
    assert nodes < 250_000
    (suite,) = root
    assert "more limits" in (suite.findtext("system-out") or "")
    assert len(suite.findall("testcase")) <= junit.MAX_CASES


def test_summary_is_cut_below_a_mebibyte_with_a_link() -> None:
    rows = [row("failed", workload=f"w{number}", text="é" * 400) for number in range(3_000)]
    text = summary_text(gate(*rows))
    assert len(text.encode()) <= summary.MAX_BYTES
    assert "more limits are on the [page of the gate](<http" in text
    assert "w2999" not in text
    full = summary_text(gate(*rows), used=2**20)
    assert "3000 more limits" in full


def test_annotations_are_ten_at_most_and_follow_the_order() -> None:
    rows = [row("failed", workload=f"w{number}") for number in range(12)]
    lines = annotation_lines(gate(*rows, row("undecided")))
    assert len(lines) == 10
    assert all("\n" not in line and "\r" not in line for line in lines)
    assert lines[0].startswith("::error title=Failed%3A w0%2C read%2C iops::")


@pytest.mark.parametrize(
    ("undecided", "start"), [(None, "::error"), ("warn", "::warning"), ("pass", "")]
)
def test_annotations_of_undecided_limits_follow_the_option(
    undecided: str | None, start: str
) -> None:
    lines = annotation_lines(gate(row("undecided"), row("passed")), undecided=undecided)
    assert [line[: len(start)] for line in lines] == ([start] if start else [])


def test_annotation_cannot_start_a_second_command() -> None:
    (line,) = annotation_lines(gate(row("failed", text=ODD)))
    assert line.count("::") == ODD.count("::") + 2
    assert "%0D%0A::error::no" in line

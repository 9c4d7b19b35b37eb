"""JUnit XML of a gate, for the test reports of GitHub, GitLab and Jenkins.

GitLab ignores the attribute `message` and the properties of suites, drops a second case of the same
name, and refuses files above 30 MB or 250,000 XML objects.
"""

from __future__ import annotations

import re
from typing import BinaryIO, List, Optional, Set
from xml.etree import ElementTree

from benchlab_client.gate.decisions import (
    FAILED,
    NO_RESULT,
    NOT_COMPARABLE,
    PASSED,
    UNDECIDED,
    Gate,
    GateRow,
)

MAX_CASES = 15_000
"""With at most 15 elements, attributes and texts a case."""
MAX_BYTES = 25_000_000
MAX_TEXT = 8_000
MAX_NAME = 400
NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 refuses, also as references."""


def write_junit(gate: Gate, file: BinaryIO, *, undecided: Optional[str] = None) -> None:
    """Write the report. `undecided`: "fail" makes undecided limits failures, not skipped."""
    root = junit_tree(gate, undecided=undecided)
    ElementTree.ElementTree(root).write(file, encoding="utf-8", xml_declaration=True)


def junit_tree(gate: Gate, *, undecided: Optional[str] = None) -> ElementTree.Element:
    """Return the report: one case a limit, the worst first, cut at the limits of GitLab."""
    cases = _cases(gate, undecided)
    totals = {
        "tests": len(cases),
        "failures": sum(one.find("failure") is not None for one in cases),
        "errors": sum(one.find("error") is not None for one in cases),
        "skipped": sum(one.find("skipped") is not None for one in cases),
    }
    counts = {name: str(number) for name, number in totals.items()}
    root = ElementTree.Element("testsuites", {"name": "benchlab gate", **counts})
    name = attribute(f"benchlab gate: run {gate.run} against {gate.against}")
    suite = ElementTree.SubElement(root, "testsuite", {"name": name, **counts, "time": "0"})
    suite.extend(cases)
    note = [gate.text, gate.page]
    if len(cases) < len(gate.rows):
        note.append(f"{len(gate.rows) - len(cases)} more limits are on the page.")
    ElementTree.SubElement(suite, "system-out").text = content("\n".join(note))
    return root


def _cases(gate: Gate, undecided: Optional[str]) -> List[ElementTree.Element]:
    names: Set[str] = set()
    cases, size = [], 0
    for row in gate.rows[:MAX_CASES]:
        case = _case(row, _unique_name(row, names), undecided)
        size += len(ElementTree.tostring(case, encoding="utf-8"))
        if size > MAX_BYTES:
            break
        cases.append(case)
    return cases


def _case(row: GateRow, name: str, undecided: Optional[str]) -> ElementTree.Element:
    case = ElementTree.Element(
        "testcase", {"classname": attribute(row.place) or "benchlab", "name": name, "time": "0"}
    )
    tag = _outcome(row.state, undecided)
    if tag:
        text = content(row.text)
        given = {"message": attribute(text)}
        if tag != "skipped":
            given["type"] = row.state
        ElementTree.SubElement(case, tag, given).text = text
    ElementTree.SubElement(case, "system-out").text = content("\n".join(_figures(row)))
    return case


def _outcome(state: str, undecided: Optional[str]) -> str:
    """Return the element of a state; empty for a passed one."""
    if state == UNDECIDED:
        return "failure" if undecided == "fail" else "skipped"
    outcomes = {FAILED: "failure", NOT_COMPARABLE: "error", NO_RESULT: "error", PASSED: ""}
    return outcomes.get(state, "error")


def _figures(row: GateRow) -> List[str]:
    lines = [
        row.text,
        f"baseline: median {row.baseline_text}, n = {row.baseline_n}",
        f"run: median {row.median_text}, n = {row.n}",
        f"limit: {row.limit} worse",
    ]
    if row.interval:
        lines.append(f"interval ({100 * row.confidence:.4g} %): {row.interval}")
    return lines


def _unique_name(row: GateRow, names: Set[str]) -> str:
    name = wanted = attribute(row.name, MAX_NAME)
    if name in names:
        name = wanted = f"{name} [{attribute(row.place, MAX_NAME)}]"
    number = 2
    while name in names:
        name, number = f"{wanted} ({number})", number + 1
    names.add(name)
    return name


def content(text: str) -> str:
    """Return text that XML 1.0 can hold."""
    shown = NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)
    shown = shown.replace("\r\n", "\n").replace("\r", "\n")
    return shown if len(shown) <= MAX_TEXT else f"{shown[:MAX_TEXT]} …"


def attribute(text: str, most: int = MAX_TEXT) -> str:
    """Return text of an attribute, whose white space parsers normalise."""
    return " ".join(content(text)[:most].split())

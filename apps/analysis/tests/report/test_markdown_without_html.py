"""The Markdown file of a report holds no HTML that a person wrote."""

from __future__ import annotations

from apps.analysis.report.content import Report, ReportPart
from apps.analysis.report.document import text


def test_html_of_a_person_is_text() -> None:
    hostile = "**bold** <script>alert(1)</script>"
    report = Report(
        title="t", name="r", facts=(), text=hostile, parts=(ReportPart("p", hostile),), reading=()
    )
    assert "<script" not in text(report)
    assert text(report).count("**bold**") == 2

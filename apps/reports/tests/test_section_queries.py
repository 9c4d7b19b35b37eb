"""Queries of report sections as text."""

from __future__ import annotations

from apps.analysis.queries.schemas import StoredQuery
from apps.reports.models import ReportSection
from apps.reports.selectors.section_queries import section_query


def test_section_query_of_a_comparison_has_labels_values_and_its_page() -> None:
    section = ReportSection(
        stored_query=StoredQuery.from_query("compare", "run=1&run=2&baseline=none")
    )
    query = section_query(section)
    assert query.choices == (("Runs", "#1, #2"), ("Baseline", "none"))
    assert query.address == "/compare/?run=1&run=2&baseline=none"


def test_section_query_of_a_view_without_a_page_has_no_address() -> None:
    section = ReportSection(stored_query=StoredQuery.from_query("medians", "run=1"))
    assert section_query(section).address == ""


def test_section_query_of_a_text_is_empty() -> None:
    query = section_query(ReportSection(text="Why"))
    assert (query.choices, query.address) == ((), "")

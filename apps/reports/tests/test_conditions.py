"""A report states the conditions of its figures: what was measured, with what, how often, when."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.analysis.report.conditions import conditions_of
from apps.analysis.report.content import report_of_run
from apps.analysis.report.document import make_document
from apps.analysis.tests.compare.factories import (
    PARAMS,
    START,
    Setup,
    create_measured_run,
    create_target,
)
from apps.reports.selectors.reports import rendered
from apps.reports.tests.factories import create_report
from apps.results.services.summary_table import summaries_rebuild
from apps.runs.models import Attempt, Run

pytestmark = pytest.mark.django_db
POINTS = [PARAMS | {"ioengine": "libaio", "direct": True, "iodepth": depth} for depth in (1, 8)]


def conditions(run: Run) -> dict[str, str]:
    return {fact.name: fact.text for fact in conditions_of("compare", f"run={run.pk}")}


def test_conditions_name_disk_kernel_tool_parameters_repeats_and_date(owner: User) -> None:
    run = create_measured_run(Setup(owner, disk=create_target(owner, "node1"), points=POINTS))
    found = conditions(run)
    assert list(found) == [
        "Measured on", "Kernel", "Tool", "Engine", "Direct", "Run time", "Repeats", "Date",
    ]  # fmt: skip
    disk = found["Measured on"]
    assert all(part in disk for part in ("node1", "S4510", "XC11", "931.3 GiB"))
    assert (found["Kernel"], found["Tool"]) == ("6.1.0-18", "fio-3.33")
    assert (found["Engine"], found["Direct"], found["Run time"]) == ("libaio", "yes", "60 s")
    assert "6" in found["Repeats"]
    assert found["Date"] == "2026-03-01"


def test_conditions_that_differ_are_all_named(owner: User) -> None:
    disk = create_target(owner)
    run = create_measured_run(Setup(owner, disk=disk, points=POINTS, repeats=3))
    some = Attempt.objects.filter(case__run=run, case__repeat=1)
    some.update(tool_version="fio-3.36", started_at=START + timedelta(days=2))
    summaries_rebuild()
    found = conditions(run)
    assert found["Tool"].split(", ") == ["fio-3.33", "fio-3.36"]
    assert found["Date"].split(" ")[::2] == ["2026-03-01", "2026-03-03"]


def test_conditions_of_nothing_are_empty(owner: User) -> None:
    assert conditions_of("compare", "") == ()
    assert conditions_of("compare", "run=12345") == ()


def test_reports_of_a_run_state_its_conditions(
    owner: User, viewer: User, stranger: User, page_client: Callable[[User], Client]
) -> None:
    run = create_measured_run(Setup(owner, points=POINTS))
    report, kept = report_of_run(run), create_report(owner, run)
    assert rendered(kept).conditions == report.conditions
    tops = (reverse("run_report_top", args=[run.pk]), reverse("report_top", args=[kept.pk]))
    for user in (owner, viewer, stranger):
        for top in tops:
            page = page_client(user).get(top).text
            assert all(fact.text in page for fact in report.conditions)
    for kind in ("html", "md"):
        text = make_document(report, kind).data.decode()
        assert text.index("S4510") < text.index("fio-3.33") < text.index("2026-03-01")

"""The table as CSV, as lines of a terminal, and in the API."""

from __future__ import annotations

import csv
import io
import statistics
from collections.abc import Callable

import pytest
from django.test import Client
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.analysis.api.comparisons import ComparisonSerializer
from apps.analysis.compare.api_document import comparison_document
from apps.analysis.presenters.comparison_terminal import comparison_lines
from apps.analysis.tests.compare.factories import Setup, create_measured_run, create_target
from apps.analysis.verdicts.comparison import compare_runs
from apps.analysis.verdicts.headlines import headlines

pytestmark = pytest.mark.django_db
Api = Callable[[User | None], APIClient]
GAIN = {"Scheduler none": 1.1}


def test_the_csv_has_canonical_units(owner: User, viewer_client: Client) -> None:
    run = create_measured_run(Setup(owner, gains=GAIN))
    answer = viewer_client.get(f"/compare/?run={run.pk}&format=csv")
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    assert len(rows) == 8
    first = rows[0]
    assert (first["metric"], first["unit"], first["verdict"]) == ("iops", "1/s", "better")
    medians = float(first["median"]) / float(first["baseline_median"])
    assert float(first["ratio"]) == pytest.approx(medians)
    assert float(first["typical_ratio"]) == pytest.approx(1.1, rel=0.02)
    assert {row["unit"] for row in rows} == {"1/s", "bytes/s", "ns"}


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t"])
def test_no_text_becomes_a_formula(owner: User, viewer_client: Client, start: str) -> None:
    evil = f"{start}HYPERLINK(1)"
    run = create_measured_run(Setup(owner, tunings=("Host defaults", evil)))
    answer = viewer_client.get(f"/compare/?run={run.pk}&format=csv").content.decode()
    cells = [cell for row in csv.reader(io.StringIO(answer)) for cell in row]
    assert f"'{evil}" in cells
    assert not [cell for cell in cells if cell.startswith(start) and "HYPERLINK" in cell]


def test_the_api_answer_has_the_shape_of_its_schema(owner: User) -> None:
    run = create_measured_run(Setup(owner, gains=GAIN))
    document = comparison_document(compare_runs(runs=[run.pk]))
    assert ComparisonSerializer(document).data == document


def test_lines_for_a_terminal_have_units_and_verdicts(owner: User) -> None:
    disk = create_target(owner, "node")
    run = create_measured_run(Setup(owner, disk=disk, gains=GAIN))
    comparison = compare_runs(runs=[run.pk])
    lines = comparison_lines(comparison)
    assert lines[0] == "random read 4 KiB, QD 32, in 1 GiB · Host defaults n=6, Scheduler none n=6"
    assert lines[1].split() == [
        *("Host", "defaults", "*", "Scheduler", "none", "change", "typical", "pair", "interval"),
        "verdict",
    ]
    assert [line.split()[0] for line in lines[2:4]] == ["IOPS", "Bandwidth"]
    assert "MiB/s" in lines[3]
    assert lines[2].endswith("Better")
    assert lines[-1] == headlines(comparison)[0].text


def test_lines_say_when_there_is_nothing(owner: User) -> None:
    assert comparison_lines(compare_runs(runs=[])) == [
        "There is nothing to compare: no workload was measured under two levels."
    ]


def test_the_api_gives_the_same_answer(owner: User, viewer: User, api: Api) -> None:
    run = create_measured_run(Setup(owner, gains=GAIN))
    found = api(viewer).get(f"/api/v1/compare/?run={run.pk}").json()
    assert found["levels"] == ["Host defaults", "Scheduler none"]
    assert found["family"] == 7
    assert found["summary"][0]["verdict"] == "better"
    (line,) = found["headline"]
    assert (line["verdict"], line["more"]) == ("better", 0)
    assert line["workloads"] == found["summary"]
    row = found["summary"][0]
    assert (row["baseline_n"], row["n"], row["baseline_blocks"], row["blocks"]) == (6, 6, 6, 6)
    assert (row["test"], row["needed"]) == ("all", None)
    assert row["confidence"] >= 0.95
    cell = found["workloads"][0]["cells"][0]
    assert (cell["metric"], cell["verdict"], len(cell["values"])) == ("iops", "better", 6)
    assert cell["effect"]["low"] < cell["effect"]["typical"] < cell["effect"]["high"]
    medians = statistics.median(cell["values"]) / statistics.median(cell["baseline_values"])
    assert cell["effect"]["ratio"] == pytest.approx(medians)
    assert cell["p_corrected"] <= 0.05
    assert cell["text"].startswith("Better: +")
    assert found["workloads"][0]["confounders"] == []


def test_the_api_lists_differing_factors(owner: User, viewer: User, api: Api) -> None:
    disk = create_target(owner)
    runs = [
        create_measured_run(Setup(owner, disk=disk, tunings=("Host defaults",))).pk,
        create_measured_run(
            Setup(owner, disk=disk, tunings=("Scheduler none",), facts={"kernel": "6.8"})
        ).pk,
    ]
    found = api(viewer).get("/api/v1/compare/", {"run": runs}).json()
    assert found["workloads"][0]["confounders"] == [
        {
            "level": "Scheduler none",
            "name": "kernel",
            "baseline_has": "6.1.0-18",
            "level_has": "6.8",
        }
    ]
    row = found["summary"][0]
    assert (row["verdict"], row["test"], row["confidence"]) == ("not_comparable", None, None)


@pytest.mark.parametrize(
    ("query", "field"),
    [("", "run"), ("?run=x", "run"), ("?run=1&speed=2", "speed"), ("?run=1&page=2", "page")],
)
def test_the_api_refuses_what_it_does_not_know(
    viewer: User, api: Api, query: str, field: str
) -> None:
    answer = api(viewer).get(f"/api/v1/compare/{query}")
    assert answer.status_code == 400
    assert list(answer.json()["error"]["fields"]) == [field]


def test_the_api_wants_a_user_and_only_reads(owner: User, api: Api) -> None:
    assert api(None).get("/api/v1/compare/?run=1").status_code == 401
    assert api(owner).post("/api/v1/compare/", {}).status_code in (403, 405)

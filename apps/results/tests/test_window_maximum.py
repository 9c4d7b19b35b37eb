"""The most of IOPS and bandwidth of a text that states it, on the pages that show the mean."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

import apps.tools
from apps.accounts.models import User
from apps.common.domain.bursts import burst_meaning
from apps.results.services.attempt_results import results_store
from apps.runs.models import Case
from apps.runs.tests.factories import create_attempt, create_run
from apps.tools.parse_result import Output
from apps.tools.registry import TOOLS

SAMPLES = Path(apps.tools.__file__).parent / "fio/tests/samples"
SAMPLE = SAMPLES / "3.1--randwrite-4k-qd128/output.txt"


@pytest.fixture
def case(owner: User) -> Case:
    case = create_run(owner=owner).cases.get()
    parsed = TOOLS["fio"].parse(Output({"stdout": SAMPLE.read_bytes()}))
    results_store(attempt=create_attempt(case), parsed=parsed, parser_version=1)
    return case


@pytest.mark.parametrize("page", ["run_detail", "case_detail"])
def test_cell_shows_mean_with_maximum_and_window(
    case: Case, viewer_client: Client, page: str
) -> None:
    key = case.run_id if page == "run_detail" else case.pk
    text = viewer_client.get(reverse(page, args=[key])).content.decode()
    assert "12,280" in text
    assert "0.5 s" in text


def test_case_without_values_over_time_has_no_chart_of_them(
    case: Case, viewer_client: Client
) -> None:
    page = viewer_client.get(reverse("case_detail", args=[case.pk]))
    assert page.context["time_height"] == ""
    address = reverse("case_figure", args=[case.pk, 1, "time"])
    assert viewer_client.get(address).status_code in (200, 404)


def test_export_has_maxima_on_request(case: Case, viewer_client: Client) -> None:
    address = "/api/v1/measurements/export/?format=jsonl"
    for query, expected in {"": None, "&maxima=true": 12_280}.items():
        answer: Any = viewer_client.get(f"{address}{query}")
        (row,) = (json.loads(line) for line in b"".join(answer.streaming_content).splitlines())
        assert row.get("iops_max_over_time") == expected
        assert ("bandwidth_max_over_time" in row) == bool(query)
    assert viewer_client.get(f"{address}&maxima=perhaps").status_code == 400


def test_run_table_has_columns_of_maxima_to_switch_on(case: Case, viewer_client: Client) -> None:
    page = viewer_client.get(reverse("run_detail", args=[case.run_id])).content.decode()
    for key in ("iops_max_over_time", "bandwidth_max_over_time"):
        assert f'data-column="{key}" data-column-off' in page
    row = page[page.index('<td class="cell-name">') :]
    row = row[: row.index("</tr>")]
    heads = page[page.index("data-column=") : page.index("</thead>")].count("data-column=")
    assert row.count("<td") == heads
    assert row.count("12,280") == 2


def test_medians_include_maximum_and_window(case: Case, viewer_client: Client) -> None:
    address = f"/api/v1/analysis/medians/?run={case.run_id}"
    (table,) = viewer_client.get(address).json()["tables"]
    keys = [column["key"] for column in table["columns"]]
    (row,) = table["rows"]
    found = dict(zip(keys, row, strict=True))
    assert found["iops_max_over_time"] == 12_280
    assert found["bandwidth_max_over_time"] == 49_120 * 1024


@pytest.mark.parametrize("page", ["run_detail", "case_detail"])
def test_maximum_that_is_a_burst_has_its_meaning(
    case: Case, viewer_client: Client, page: str
) -> None:
    key = case.run_id if page == "run_detail" else case.pk
    text = viewer_client.get(reverse(page, args=[key])).content.decode()
    assert burst_meaning(12_280, 2_900.77, 2_737.69) in text


def test_medians_note_maximum_that_is_a_burst(case: Case, viewer_client: Client) -> None:
    address = f"/api/v1/analysis/medians/?run={case.run_id}"
    (note,) = viewer_client.get(address).json()["notes"]
    assert burst_meaning(12_280, 2_900.77, 2_737.69) in note


def test_burst_meaning_has_ratio_and_deviation_of_printed_windows() -> None:
    text = burst_meaning(12_280, 2_900.77, 2_737.69)
    assert "4.2 " in text
    assert "94.4 %" in text


@pytest.mark.parametrize(
    "windows", [(23_310, 22_280.35, 671.89), (None, 1.0, 1.0), (1.0, 0.0, 1.0), (1.0, None, None)]
)
def test_burst_meaning_without_burst_is_empty(
    windows: tuple[float | None, float | None, float | None],
) -> None:
    assert burst_meaning(*windows) == ""


@pytest.mark.parametrize(
    ("sample", "key", "maximum"),
    [
        ("3.1--randwrite-4k-qd128", "iops_max_over_time", 12_280),
        ("3.1--randread-4k-qd128", "iops_max_over_time", 23_310),
        ("3.1--write-4m-qd64", "bandwidth_max_over_time", 192 * 1024**2),
        ("3.1--read-4m-qd64", "bandwidth_max_over_time", 456 * 1024**2),
    ],
)
def test_maximum_of_imported_text_is_the_printed_one(
    owner: User, viewer_client: Client, sample: str, key: str, maximum: float
) -> None:
    case = create_run(owner=owner).cases.get()
    parsed = TOOLS["fio"].parse(Output({"stdout": (SAMPLES / sample / "output.txt").read_bytes()}))
    results_store(attempt=create_attempt(case), parsed=parsed, parser_version=1)
    (table,) = viewer_client.get(f"/api/v1/analysis/medians/?run={case.run_id}").json()["tables"]
    place = [column["key"] for column in table["columns"]].index(key)
    (row,) = table["rows"]
    assert row[place] == maximum

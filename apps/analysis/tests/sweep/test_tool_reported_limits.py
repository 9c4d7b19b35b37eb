"""Figures that only the tool gives: wide buckets of latency, its own counters of devices."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

import apps.tools
from apps.accounts.models import User
from apps.analysis.sweep.curve import utilisations
from apps.results.models import Series
from apps.results.services.attempt_results import results_store
from apps.results.tests.factories import series_store
from apps.runs.models import Attempt, Case
from apps.runs.tests.factories import create_attempt, create_run
from apps.tools.parse_result import Output
from apps.tools.parse_result import Series as Figures
from apps.tools.registry import TOOLS

SAMPLES = Path(apps.tools.__file__).parent / "fio/tests/samples"


@pytest.fixture
def case(owner: User) -> Case:
    return create_run(owner=owner).cases.get()


def stored(case: Case, sample: str) -> Attempt:
    """An attempt with the results of a sample of fio."""
    attempt = create_attempt(case)
    output = Output({"stdout": (SAMPLES / sample).read_bytes(), "stderr": b""})
    results_store(attempt=attempt, parsed=TOOLS["fio"].parse(output), parser_version=1)
    return attempt


def page(client: Client, case: Case) -> str:
    return client.get(reverse("case_detail", args=[case.pk])).content.decode()


def watched(attempt: Attempt) -> None:
    """benchlab's own samples of a device."""
    series_store(
        attempt=attempt,
        source=Series.Source.DEVICE,
        subject="sda",
        series=[Figures("utilisation", (10.0, 20.0))],
    )


def test_buckets_are_shown_as_coarse_and_only_for_what_they_are_of(
    case: Case, viewer_client: Client
) -> None:
    stored(case, "3.x--text-fsync/output.txt")
    text = page(viewer_client, case)
    assert "write: latency, coarse" in text
    assert "sync: latency, coarse" not in text
    for words in ("17.4", "82.4", "4.000 µs", "not compared"):
        assert words in text


def test_bounds_replace_missing_percentiles_only(case: Case, viewer_client: Client) -> None:
    attempt = stored(case, "3.x--text-fsync/output.txt")
    assert "the bound they lie below" not in page(viewer_client, case)
    attempt.measurements.update(percentiles={})
    text = page(viewer_client, case)
    assert "the bound they lie below" in text
    assert "p99.9 &lt;" in text


def test_a_histogram_is_better_than_buckets(case: Case, viewer_client: Client) -> None:
    stored(case, "3.33--json+-two-jobs/result.json")
    assert "latency, coarse" not in page(viewer_client, case)


def test_the_devices_the_tool_counted(case: Case, viewer_client: Client) -> None:
    # sda: ios=4/65596, ticks=3/30579, util=99.72%: a write waited 30579 / 65596 ms.
    stored(case, "3.x--text-fsync/output.txt")
    text = page(viewer_client, case)
    assert "Device statistics reported by the tool" in text
    for figure in ("99.72", "65,596", "466.2 µs"):
        assert figure in text


def test_a_sweep_shows_the_utilisation_that_the_tool_says(case: Case) -> None:
    stored(case, "3.x--text-fsync/output.txt")
    assert utilisations([case.pk]) == {case.pk: 99.72}


def test_what_benchlab_saw_itself_counts_more(case: Case, viewer_client: Client) -> None:
    watched(stored(case, "3.x--text-fsync/output.txt"))
    assert utilisations([case.pk]) == {case.pk: 15.0}
    assert "Device statistics reported by the tool" not in page(viewer_client, case)


def test_the_counters_of_several_groups_are_no_groups_own(case: Case) -> None:
    # Groups behind one another: fio counts its devices over both.
    stored(case, "3.33--text-two-groups/output.txt")
    assert utilisations([case.pk]) == {}

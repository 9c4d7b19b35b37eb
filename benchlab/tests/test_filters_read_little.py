"""Whatever filter a list is asked with, its page is found by indexes: no large table is read from
end to end, openly or as an index that is walked until enough rows fit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.accounts.tests.factories import create_user
from apps.common.database import pages as database_pages
from apps.inventory.models import Directory, TargetGroup
from apps.results.models import Measurement
from apps.results.selectors.results import comparable_summaries
from apps.runs.models import Case
from tests.bench.archive.fill import Filled, fill
from tests.bench.archive.questions import ASKED, asked_of_runs, questions
from tests.bench.archive.reading import Scan, scans, scans_of, worst

pytestmark = pytest.mark.xdist_group("filled archive")
CASES, HOSTS = 60_000, 60
LARGE = {"runs_case", "runs_attempt", "runs_attemptjob", "runs_runevent", "results_measurement"}
# The largest run has 3,000 cases and 7,000 measurements of 60,000 and 150,000.
NEAR = 12_000
# Rows of one table, or entries of an index, that a query may look at: those next to the page's
# position, or those that fit. Near a border PostgreSQL takes the 17,700 entries of a latency below
# 0.1 ms as a bitmap beside the key's.
MOST = 20_000
# Of the 3,000 cases of the largest run 60 have a result that does not count; more have failed.
DOUBTFUL = 1_000
PAGE = 50
STOP_POLLING = 286  # what a part of a run that has ended answers


@pytest.fixture(scope="module")
def filled(django_db_setup: None, django_db_blocker: Any) -> Iterator[Filled]:
    """One archive for all tests of this module, taken back after them."""
    with django_db_blocker.unblock(), transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL random_page_cost = 1.1")  # as benchlab's own server has it
            # Every row is sampled (300 for each of the target's): a plan near a border would else
            # be another one in one run of many.
            cursor.execute("SET LOCAL default_statistics_target = 1000")
        yield fill(create_user(username="archivist"), CASES, HOSTS)
        transaction.set_rollback(True)


@pytest.fixture(autouse=True)
def _near(monkeypatch: pytest.MonkeyPatch) -> None:
    """In proportion to an archive that is a small one."""
    monkeypatch.setattr(database_pages, "NEAR", NEAR)


def check(read: list[Scan]) -> None:
    """Raise AssertionError unless these scans read little."""
    assert not {scan.table for scan in read if scan.what == "Seq Scan"} & LARGE, worst(read)
    large = [scan for scan in read if scan.table in LARGE or not scan.table]
    assert all(scan.rows <= MOST for scan in large), worst(read)


@pytest.fixture
def asking(filled: Filled) -> APIClient:
    client = APIClient()
    client.force_authenticate(filled.lab.owner)
    return client


@pytest.mark.django_db
@pytest.mark.parametrize("noun", ASKED)
def test_every_documented_filter(
    filled: Filled, asking: APIClient, noun: str, subtests: Any
) -> None:
    given = questions(filled)[noun]
    for name, value in ((name, value) for name, values in given.items() for value in values):
        with subtests.test(f"{name}={value}"):
            with CaptureQueriesContext(connection) as queries:
                answer = asking.get(f"/api/v1/{noun}/", {name: value})
            assert answer.status_code == 200, answer.content
            check(scans_of(queries))


@pytest.mark.django_db
def test_every_filter_of_the_page_of_runs(
    filled: Filled, page_client: Callable[[User], Client], subtests: Any
) -> None:
    browser = page_client(filled.lab.owner)
    for name, values in asked_of_runs(filled).items():
        with subtests.test(name), CaptureQueriesContext(connection) as queries:
            assert browser.get("/runs/", {name: values[-1]}).status_code == 200
        check(scans_of(queries))


@pytest.mark.django_db
@pytest.mark.parametrize(
    "address", ["", "?page=40", "parts/status/", "parts/cases/", "parts/events/"]
)
def test_the_pages_of_a_large_run(
    filled: Filled, page_client: Callable[[User], Client], address: str
) -> None:
    """They read its own 3,000 cases, not those of its workloads in other runs."""
    browser = page_client(filled.lab.owner)
    with CaptureQueriesContext(connection) as queries:
        answer = browser.get(f"/runs/{filled.large}/{address}")
    assert answer.status_code in (200, STOP_POLLING)
    check(scans_of(queries))


@pytest.mark.django_db
def test_results_that_do_not_count_have_indexes_of_their_own(
    filled: Filled, page_client: Callable[[User], Client]
) -> None:
    """A run's page reads those between the keys of its cases; only medians read all results."""
    browser = page_client(filled.lab.owner)
    with CaptureQueriesContext(connection) as queries:
        answer = browser.get(f"/runs/{filled.large}/parts/cases/")
    assert answer.context["table"].is_lines
    own = {"doubtful_attempts_by_case", "wholes_not_valid_by_case"}
    asked = [one["sql"] for one in queries if "PERCENTILE_CONT" not in one["sql"]]
    doubtful = [sql for sql in asked if "NOT EXISTS" in sql]
    assert len(doubtful) == 2
    read = [scan for sql in doubtful for scan in scans(sql)]
    assert own <= {scan.by for scan in read}, worst(read)
    assert sum(scan.rows for scan in read) < DOUBTFUL, worst(read)


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["disk", "tuning"])
def test_latest_verdicts_read_results_of_few_runs(
    filled: Filled, page_client: Callable[[User], Client], kind: str, subtests: Any
) -> None:
    """A target of old runs only, one of many runs, and a tuning that a quarter of all have."""
    browser, lab = page_client(filled.lab.owner), filled.lab
    rows = lab.tunings if kind == "tuning" else lab.targets["storage"]
    disks = [row for row in rows if not isinstance(row, Directory | TargetGroup)]
    for row in (disks[0], disks[len(disks) // 2]):
        with subtests.test(f"{kind} {row.pk}"):
            with CaptureQueriesContext(connection) as queries:
                assert browser.get(f"/{kind}s/{row.pk}/verdicts/").status_code == 200
            read = [one for one in scans_of(queries) if one.table == "results_resultsummary"]
            assert all(one.what != "Seq Scan" and one.rows <= MOST for one in read), worst(read)


@pytest.mark.django_db
def test_a_word_of_all_hosts_is_searched_by_their_keys(
    filled: Filled, page_client: Callable[[User], Client]
) -> None:
    """With a query for the hosts PostgreSQL expects one host, and reads the past of all."""
    browser = page_client(filled.lab.owner)
    with CaptureQueriesContext(connection) as queries:
        assert browser.get("/search/", {"q": "archive"}).status_code == 200
    asked = [one["sql"] for one in queries if '"runs_runtargetmember"' in one["sql"]]
    assert asked, "hosts are searched as well"
    assert not [sql for sql in asked if 'FROM "inventory_host"' in sql]


@pytest.mark.django_db
def test_the_newest_result_of_a_workload_is_one_row(filled: Filled) -> None:
    workload = filled.lab.workloads["fio"][0]
    rows = comparable_summaries().filter(workload=workload, operation="read")
    with CaptureQueriesContext(connection) as queries:
        assert rows.order_by("-measured_at", "-pk").values("pk").first()
    read = scans_of(queries)
    assert [one.by for one in read] == ["summaries_by_time"]
    assert read[0].rows <= PAGE


@pytest.mark.django_db
@pytest.mark.parametrize("near", [10, NEAR])
def test_what_is_found_by_keys_is_what_fits(
    filled: Filled, asking: APIClient, near: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether the page was found near its position or gathered: page after page, and back."""
    monkeypatch.setattr(database_pages, "NEAR", near)
    expected = list(
        Case.objects.filter(state="cancelled").order_by("-pk").values_list("pk", flat=True)[:120]
    )
    pages = [asking.get("/api/v1/cases/", {"state": "cancelled"}).json()]
    pages += [asking.get(pages[-1]["next"]).json()]
    pages += [asking.get(pages[-1]["next"]).json()]
    found = [row["id"] for page in pages for row in page["results"]]
    assert found[:120] == expected
    back = asking.get(pages[-1]["previous"]).json()
    assert back["results"] == pages[1]["results"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "column"),
    [("workload", "case__workload__key"), ("tuning", "case__run_tuning__tuning")],
)
def test_results_of_a_workload_or_a_tuning_are_read_page_by_page(
    filled: Filled, asking: APIClient, name: str, column: str, subtests: Any
) -> None:
    """Page after page, and back."""
    whole = Measurement.objects.filter(component="")
    for value in questions(filled)["measurements"][name]:
        fit = whole.filter(**{column: value}).order_by("-pk").values_list("pk", flat=True)
        expected = list(fit[: 2 * PAGE])
        with subtests.test(f"{name}={value}"):
            with CaptureQueriesContext(connection) as queries:
                pages = [asking.get("/api/v1/measurements/", {name: value}).json()]
                pages += [asking.get(pages[0]["next"]).json()] if pages[0]["next"] else []
            assert expected, "a value that fits nothing shows nothing"
            assert [row["id"] for page in pages for row in page["results"]] == expected
            check(scans_of(queries))
            if pages[1:]:
                back = asking.get(pages[1]["previous"]).json()
                assert back["results"] == pages[0]["results"]


@pytest.mark.django_db
def test_a_scan_would_be_seen(filled: Filled) -> None:
    with CaptureQueriesContext(connection) as queries:
        assert not Case.objects.filter(reason="x").exists()
    with pytest.raises(AssertionError, match="runs_case"):
        check(scans_of(queries))
    with CaptureQueriesContext(connection) as walked:
        assert not list(Case.objects.filter(reason="x").order_by("-pk")[:51])
    with pytest.raises(AssertionError, match="runs_case"):
        check(scans_of(walked))

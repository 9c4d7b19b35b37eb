"""The list of runs and a run's page: what they say, to whom, at what cost."""

from __future__ import annotations

import re
from datetime import timedelta

import msgspec
import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from pytest_django.fixtures import DjangoAssertNumQueries

from apps.accounts.models import User
from apps.accounts.tests.factories import create_team
from apps.plans.models import Workload
from apps.plans.schemas.plan import StepSpec
from apps.runs.models import Attempt, AttemptState, CaseState, FailureCause, Purpose, Run, RunState
from apps.runs.presenters.run_facts import tunings_in_plan
from apps.runs.services.runs import event_record
from apps.runs.tests.factories import (
    create_attempt,
    create_case,
    create_many_cases,
    create_run,
    end_run,
)
from apps.tools.values import RawValue

PAGES = ("run_list", "run_detail", "run_queue")


def page(client: Client, run: Run, query: str = "") -> str:
    answer = client.get(reverse("run_detail", args=[run.pk]) + query)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.fixture
def run(owner: User) -> Run:
    return create_run(owner=owner, repeats=2)


def running(run: Run) -> Run:
    run.state, run.started_at = RunState.RUNNING, timezone.now() - timedelta(seconds=100)
    run.save()
    return run


@pytest.mark.parametrize("name", PAGES)
def test_everybody_logged_in_sees_runs(
    name: str, run: Run, viewer_client: Client, stranger_client: Client, client: Client
) -> None:
    arguments = [run.pk] if name == "run_detail" else []
    address = reverse(name, args=arguments)
    assert run.name in viewer_client.get(address).content.decode()
    assert stranger_client.get(address).status_code == 200
    assert client.get(address).status_code == 302


def test_an_empty_list_says_what_to_do_first(viewer_client: Client) -> None:
    text = viewer_client.get(reverse("run_list")).content.decode()
    assert "No runs yet" in text
    assert reverse("plan_list") in text


def test_a_filter_that_finds_nothing_says_so(run: Run, viewer_client: Client) -> None:
    text = viewer_client.get(reverse("run_list"), {"name": "no such run"}).content.decode()
    assert "No entry matches the filter" in text


def test_the_filter_by_host_names_each_run_once(run: Run, viewer_client: Client) -> None:
    other = create_run(owner=run.owner)
    host = run.cases.all()[0].host
    answer = viewer_client.get(reverse("run_list"), {"host": host.pk})
    assert [row.run.pk for row in answer.context["rows"]] == [run.pk]
    assert other.name not in answer.content.decode().partition("<tbody>")[2]


def test_the_queue_says_what_a_run_waits_for(run: Run, viewer_client: Client) -> None:
    Run.objects.filter(pk=run.pk).update(reason="waits for host a, which run 4 holds")
    assert "waits for host a, which run 4 holds" in page(viewer_client, run)
    assert "waits for host a" in viewer_client.get(reverse("run_queue")).content.decode()


def test_the_list_costs_the_same_for_one_run_and_many(run: Run, viewer_client: Client) -> None:
    viewer_client.get(reverse("host_list"))  # the user comes with a session that is known
    asked = []
    for _ in range(3):
        with CaptureQueriesContext(connection) as queries:
            viewer_client.get(reverse("run_list"))
        asked.append(len(queries))
        create_run(owner=run.owner, target=run.cases.all()[0].target)
    assert asked == [asked[0]] * 3
    assert asked[0] <= 10


def test_a_page_of_ten_thousand_cases_stays_small(
    run: Run, viewer_client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    create_many_cases(run, 10_000)
    running(run)
    with django_assert_max_num_queries(28):
        text = page(viewer_client, run, "?page=3")
    assert len(text) < 200_000
    assert "101" in text
    assert "10,000" in text


def test_the_table_shows_one_state_and_one_word(run: Run, viewer_client: Client) -> None:
    first, second = run.cases.order_by("sequence")
    create_attempt(
        first, state=AttemptState.FAILED, reason="no such engine", failure_cause=FailureCause.TOOL
    )
    address = reverse("run_detail", args=[run.pk])
    rows = viewer_client.get(address, {"state": "failed"}).context["table"].rows
    assert [row.case.pk for row in rows] == [first.pk]
    rows = viewer_client.get(address, {"text": "host defaults randread"}).context["table"].rows
    assert {row.case.pk for row in rows} <= {first.pk, second.pk}
    assert not viewer_client.get(address, {"text": "zzz"}).context["table"].rows


def test_a_failed_run_says_whose_fault_and_what_to_do(run: Run, viewer_client: Client) -> None:
    for case in run.cases.all():
        create_attempt(
            case, state=AttemptState.FAILED, reason="exit code 3", failure_cause=FailureCause.TOOL
        )
    text = page(viewer_client, end_run(run, RunState.FAILED, "2 of 2 cases failed"))
    assert "exit code 3" in text
    assert "tool" in text
    assert "change the plan or the tool, then retry" in text


def test_a_cancelled_run_shows_what_was_measured_and_what_was_not(
    owner: User, viewer_client: Client
) -> None:
    run = create_run(owner=owner, repeats=4)
    first, second, *_rest = run.cases.order_by("sequence")
    create_attempt(first)
    create_attempt(second, state=AttemptState.FAILED)
    text = page(viewer_client, end_run(run, RunState.CANCELLED, "cancelled by owner"))
    assert "of 4 cases measured" in re.sub("<[^>]+>", "", text)
    assert 'aria-valuetext="1 measured, 1 failed, 2 cancelled"' in text
    assert 'aria-valuenow="50"' in text
    assert '<span class="is-measured" style="width: 25.00%">' in text
    assert '<span class="is-cancelled" style="width: 50.00%">' in text


def test_while_settings_go_back_the_page_says_so_and_for_how_long(
    owner: User, viewer_client: Client
) -> None:
    run = running(create_run(owner=owner))
    create_attempt(
        run.cases.get(), state=AttemptState.RUNNING, ended_at=None, host_files_removed_at=None
    )
    long_ago = timezone.now() - timedelta(seconds=3_600)
    attempts = Attempt.objects.filter(case__run=run)
    attempts.update(phase="restoring", phase_since=long_ago, created_at=long_ago)
    text = re.sub("<[^>]+>", "", page(viewer_client, run))
    assert "giving the settings back, for 1 h" in text
    assert "behind schedule" in text
    assert "0 s left" not in text


def test_silence_is_unknown_and_not_failed(run: Run, viewer_client: Client) -> None:
    case = running(run).cases.order_by("sequence")[0]
    since = timezone.now() - timedelta(minutes=5)
    create_attempt(
        case,
        state=AttemptState.RUNNING,
        ended_at=None,
        host_files_removed_at=None,
        contact_at=since,
    )
    text = page(viewer_client, run)
    assert "Unknown since" in text
    assert f"{since:%Y-%m-%d %H:%M:%S} UTC" in text


def test_buttons_are_for_those_who_may(
    run: Run, owner_client: Client, viewer_client: Client, stranger_client: Client
) -> None:
    cancel = reverse("run_cancel", args=[run.pk])
    assert cancel in page(owner_client, run)
    assert cancel not in page(viewer_client, run)
    assert cancel not in page(stranger_client, run)


@pytest.mark.parametrize("part", ["status", "cases", "facts", "events"])
def test_parts_poll_until_the_run_has_ended(part: str, run: Run, viewer_client: Client) -> None:
    address = reverse("run_fragment", args=[run.pk, part])
    first = viewer_client.get(address)
    assert first.status_code == 200
    if part != "status":
        again = viewer_client.get(address, headers={"If-None-Match": first.headers["ETag"]})
        assert again.status_code == 304
    end_run(run)
    last = viewer_client.get(address, headers={"If-None-Match": first.headers["ETag"]})
    assert last.status_code == 286
    assert last.content


def test_cases_of_an_ended_run_are_chosen_and_laid_over_each_other(
    run: Run, owner_client: Client, viewer_client: Client
) -> None:
    case = run.cases.order_by("sequence")[0]
    choice = f'form="chosen-cases" name="case" value="{case.pk}"'
    again = f'form="again" name="case" value="{case.pk}"'
    live = page(owner_client, run)
    assert (choice in live, again in live) == (False, False)
    for each in run.cases.all():
        create_attempt(each)
    end_run(run, RunState.SUCCEEDED)
    mine, others = page(owner_client, run), page(viewer_client, run)
    assert (choice in mine, again in mine) == (True, True)
    assert (choice in others, again in others) == (True, False)
    for name in ("timeseries", "distribution", "config_diff"):
        assert f'formaction="{reverse(name)}"' in others
        chosen = viewer_client.get(reverse(name), {"case": [case.pk]})
        assert chosen.status_code == 200


def test_a_part_that_is_not_there_is_not_found(run: Run, viewer_client: Client) -> None:
    assert viewer_client.get(f"/runs/{run.pk}/parts/secrets/").status_code == 404


def test_event_log_is_bounded(run: Run, viewer_client: Client) -> None:
    for number in range(120):
        event_record(run, "case", f"line {number}")
    text = viewer_client.get(reverse("run_fragment", args=[run.pk, "events"])).content.decode()
    assert "line 119" in text
    assert "line 3<" not in text
    assert "Showing the newest events only" in text


def test_text_from_a_host_is_shown_as_text(run: Run, viewer_client: Client) -> None:
    case = run.cases.all()[0]
    create_attempt(case, state=AttemptState.FAILED, reason="<script>alert(1)</script>")
    assert CaseState(case.state) == CaseState.FAILED
    assert "<script>alert" not in page(viewer_client, run)


def test_page_shows_frozen_plan_with_units(run: Run, viewer_client: Client) -> None:
    params: dict[str, RawValue] = {
        "bs": 4096,
        "size": 536870912,
        "iodepth": [1, 16],
        "runtime": 4,
        "of_old": 1,
    }
    steps = (StepSpec("fio", params), StepSpec("dd"))
    run.spec = msgspec.structs.replace(run.spec, steps=steps)
    run.save()
    text = page(viewer_client, run)
    assert "bs = 4k, size = 512M, of_old = 1, iodepth = 1, 16, runtime = 4 s" in text
    assert "defaults" in text


def test_tunings_of_a_plan_without_that_of_the_preparation(run: Run) -> None:
    planned = tunings_in_plan(run)
    case = run.cases.all()[0]
    assert case.run_target.target is not None
    row = case.run_target.target.row
    create_case(run, case.workload, row, tuning="untuned", purpose=Purpose.PRECONDITION)

    assert planned
    assert tunings_in_plan(run) == planned


def test_any_page_of_the_table_reads_the_rows_of_one_page(run: Run, viewer_client: Client) -> None:
    """Those of other pages are counted, not read."""
    create_many_cases(run, 300)
    with CaptureQueriesContext(connection) as asked:
        answer = viewer_client.get(reverse("run_fragment", args=[run.pk, "cases"]) + "?page=5")
    rows = answer.context["table"].rows
    assert [row.case.sequence for row in rows] == list(range(200, 250))
    shown = [one["sql"] for one in asked if '"runs_case"."reason"' in one["sql"]]
    assert len(shown) == 1
    assert '"runs_case"."id" IN (' in shown[0]


def test_the_pages_of_the_table_are_one_list(run: Run, viewer_client: Client) -> None:
    """Each case is on one page, in the same order, also where a group begins within a page."""
    create_many_cases(run, 120)
    second = Workload.objects.create(key="second", tool="fio", params={"bs": 8192}, label="8 KiB")
    run.cases.filter(sequence__gte=30).update(workload=second)
    place = reverse("run_fragment", args=[run.pk, "cases"])
    tables = [viewer_client.get(f"{place}?page={n}").context["table"] for n in (1, 2, 3)]
    assert [row.case.sequence for table in tables for row in table.rows] == list(range(120))
    assert [(table.page.start_index(), table.page.end_index(), table.total) for table in tables][
        -1
    ] == (101, 120, 120)
    assert (tables[0].previous, tables[2].next) == ("", "")
    beyond = viewer_client.get(f"{place}?page=99").context["table"]
    assert beyond.page.number == 3


@pytest.mark.parametrize(
    ("address", "most"),
    [("/runs/{}/", 23), ("/runs/{}/parts/status/", 11), ("/runs/{}/parts/cases/", 9)],
)
def test_the_page_of_an_ordinary_run_asks_little(
    owner: User, owner_client: Client, viewer_client: Client, address: str, most: int
) -> None:
    """Session, user and run; its cases counted, their workloads; what was decided, and between what
    more blocks can decide; then results that do not count, the cases and medians of the page, the
    event log.
    """
    run = create_run(owner=owner)
    create_many_cases(run, 60)
    run.cases.update(state=CaseState.SUCCEEDED)
    end_run(run)
    for client in (owner_client, viewer_client):
        with CaptureQueriesContext(connection) as asked:
            assert client.get(address.format(run.pk)).status_code in (200, 286)
        assert len(asked) <= most, [one["sql"][:120] for one in asked]


def test_page_shows_limits_and_newest_decision(run: Run, owner_client: Client) -> None:
    """Of several the newest: they come with the run."""
    for case in run.cases.all():
        create_attempt(case)
    end_run(run)
    for number, factor in enumerate(("host", "target")):
        run.extensions.create(
            position=10 + number, kind="until", precision_percent=3, last_block=2, factor=factor
        )
        run.extensions.create(
            position=20 + number, kind="rule", rule="r", last_block=1, reason=f"answer {number}"
        )
    text = page(owner_client, run)
    assert "Answer 1." in text
    assert "Answer 0" not in text
    assert f"?run={run.pk}&amp;factor=target" in text


def test_rights_of_a_team_hold_on_every_part(
    run: Run, owner: User, stranger: User, stranger_client: Client, viewer_client: Client
) -> None:
    team = create_team()
    Run.objects.filter(pk=run.pk).update(team=team)
    end_run(Run.objects.get(pk=run.pk))
    note = reverse("run_note", args=[run.pk])
    assert note not in page(stranger_client, run)
    stranger.teams.add(team)
    assert note in page(stranger_client, run)
    assert note not in page(viewer_client, run)


def test_event_log_lines_are_in_each_reader_s_zone(
    run: Run, viewer: User, viewer_client: Client, owner_client: Client
) -> None:
    """In turn, as lines are kept."""
    User.objects.filter(pk=viewer.pk).update(time_zone="Asia/Tokyo")
    case = run.cases.all()[0]
    event_record(run, "case", "<b>cut off</b>", case=case)
    link = f'<a href="/cases/{case.pk}/">&lt;b&gt;cut off&lt;/b&gt;</a>'
    address = reverse("run_fragment", args=[run.pk, "events"])
    for _again in range(2):
        for client, zone in ((viewer_client, "JST"), (owner_client, "UTC")):
            text = client.get(address).content.decode()
            assert link in text
            assert f" {zone}" in text.partition(link)[0].rpartition("<li>")[2]

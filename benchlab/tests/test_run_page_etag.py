"""The ETag of an ended run's page: every service that changes the page gives it another one."""

from __future__ import annotations

import dataclasses
import re
import uuid
from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.models import Role, User
from apps.accounts.services.people import preferences_save, team_delete, team_save, user_save
from apps.accounts.tests.factories import create_team
from apps.common.domain.preferences import Preferences
from apps.common.models import ResultsVersion
from apps.common.selectors import versions
from apps.execution.domain.lease import RunLease
from apps.execution.domain.outcome import AttemptOutcome
from apps.execution.services.attempt_end import attempt_close, attempt_publish
from apps.execution.services.run_end import run_close
from apps.execution.tests.test_outcome import GOOD_EXIT, GOOD_FILES
from apps.imports.services import import_store
from apps.imports.tests.factories import create_import
from apps.inventory.models import Disk, Host
from apps.inventory.services.checks import host_check_store
from apps.inventory.services.directories import directory_update
from apps.inventory.services.disks import disk_tag
from apps.inventory.services.groups import GroupDraft, group_save
from apps.inventory.services.hosts import HostDraft, host_update
from apps.inventory.services.pools import pool_draft, pool_save
from apps.inventory.services.specifications import disk_specification_set
from apps.inventory.tests.factories import create_directory, create_group, create_pool
from apps.plans.selectors.plans import plan_draft
from apps.plans.services.plans import plan_update
from apps.results.models import Baseline, ResultSummary, Series
from apps.results.services.attempt_results import attempt_reparse
from apps.results.services.baselines import BaselineDraft, baseline_create, baseline_delete
from apps.results.services.downsampling import MAX_VALUES, series_downsample
from apps.results.tests.factories import create_results, series_store
from apps.runs.models import Attempt, AttemptState, FailureCause, Run, RunState
from apps.runs.services.abandonment import abandoned_confirm, abandoned_release
from apps.runs.services.annotations import run_annotate, run_tag
from apps.runs.services.archive import run_archive, run_delete
from apps.runs.services.artifacts import artifact_of
from apps.runs.services.extension import repeats_add
from apps.runs.services.leases import run_try_start
from apps.runs.services.retention import Rule, raw_output_remove, rules
from apps.runs.services.runs import run_cancel, run_retry
from apps.runs.tests.factories import create_attempt, create_run, end_run
from apps.tools.parse_result import Series as NewSeries
from apps.tuning.models import TuningProfile
from apps.tuning.services import TuningDraft, tuning_update

LONG_AGO = timezone.now() - timedelta(days=400)


@pytest.fixture
def run(owner: User, settings: Any) -> Run:
    """One case has results and a long series, the other failed."""
    settings.RAW_RETENTION_MONTHS = settings.DOWNSAMPLE_AFTER_MONTHS = 12
    tuning = TuningProfile.objects.create(name="fast", owner=owner)
    run = create_run(owner=owner, repeats=2, tunings=(tuning,))
    first, second = run.cases.order_by("sequence")
    attempt = create_results(create_attempt(first))
    long = [NewSeries("iops", tuple(float(n) for n in range(MAX_VALUES + 1)))]
    series_store(attempt=attempt, source=Series.Source.TOOL, subject="write", series=long)
    create_attempt(second, state="failed", reason="no space left", failure_cause=FailureCause.HOST)
    return end_run(run, RunState.FAILED)


def etag(client: Client, run: Run) -> str | None:
    if "csrftoken" not in client.cookies:  # the first page sets the cookie of its forms
        client.get("/runs/")
    answer = client.get(f"/runs/{run.pk}/")
    assert answer.headers["Cache-Control"] == "private, no-cache"
    found: str | None = answer.headers.get("ETag")
    return found


def old(run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(queued_at=LONG_AGO, finished_at=LONG_AGO)


def attempt_of(run: Run) -> Attempt:
    return Attempt.objects.get(case__run=run, state="succeeded")


def disk_of(run: Run) -> Disk:
    return Disk.objects.get(target=run.targets.get().target_id)


def abandon(run: Run) -> Any:
    attempt = attempt_of(run)
    return attempt.abandonments.create(host=attempt.case.host, reason="why", resources=[])


def confirmed(run: Run, _owner: User, _admin: User) -> None:
    abandoned_confirm(abandon(run))


def lifted(run: Run, _owner: User, admin: User) -> None:
    abandon(run)
    abandoned_release(run=run, user=admin, reason="scrapped")


def cancelled(run: Run, owner: User, _admin: User) -> None:
    Run.objects.filter(pk=run.pk).update(state=RunState.QUEUED, finished_at=None)
    run_cancel(run=run, user=owner)


def ended_again(run: Run, owner: User, _admin: User) -> None:
    end_run(run_retry(run=run, user=owner))


def repeats_added(run: Run, owner: User, _admin: User) -> None:
    end_run(repeats_add(run=run, user=owner, repeats=1))


def output_removed(run: Run, _owner: User, _admin: User) -> None:
    old(run)
    rule: Rule
    (rule,) = rules()
    assert raw_output_remove(rule).runs


def thinned(run: Run, _owner: User, _admin: User) -> None:
    old(run)
    assert series_downsample().series


def figures_made_anew(run: Run, _owner: User, _admin: User) -> None:
    ResultSummary.objects.filter(run=run).update(iops=5.0)
    call_command("rebuild_summaries", stdout=StringIO())


def baseline_draft(run: Run) -> BaselineDraft:
    return BaselineDraft(run, "as delivered", target=run.targets.get().target)


def baseline_gone(run: Run, owner: User, _admin: User) -> None:
    baseline = Baseline.objects.create(
        owner=owner, run=run, name="first", target=run.targets.get().target
    )
    baseline_delete(baseline=baseline, user=owner)


def host_renamed(run: Run, _owner: User, admin: User) -> None:
    host = Host.objects.get(pk=run.cases.all()[0].host_id)
    host_update(host=host, user=admin, draft=HostDraft(name="renamed", kind=Host.Kind.LOCAL))


def disk_renamed(run: Run, _owner: User, _admin: User) -> None:
    disk = disk_of(run)
    seen = {"identity": disk.identity, "node": "/dev/sdz", "size": disk.size, "kind": "disk"}
    host_check_store(
        host=disk.host, facts={"disks": [seen]}, round_trip_seconds=0.0, clock_offset=0.0
    )


def group_renamed(_run: Run, owner: User, _admin: User) -> None:
    group = create_group(owner=owner)
    draft = GroupDraft("renamed", members=tuple(group.disks.all()))
    group_save(group=group, user=owner, draft=draft)


def pool_renamed(_run: Run, owner: User, _admin: User) -> None:
    pool = create_pool(owner=owner)
    draft = dataclasses.replace(pool_draft(pool), name="renamed")
    pool_save(pool=pool, user=owner, draft=draft)


def directory_given(_run: Run, owner: User, _admin: User) -> None:
    team = create_team()
    owner.teams.add(team)
    directory_update(directory=create_directory(owner=owner), user=owner, team=team)


def plan_renamed(run: Run, owner: User, _admin: User) -> None:
    assert run.plan is not None
    draft = dataclasses.replace(plan_draft(run.plan), name="renamed")
    plan_update(plan=run.plan, user=owner, draft=draft)


def tuning_renamed(_run: Run, owner: User, _admin: User) -> None:
    tuning = TuningProfile.objects.get(name="fast")
    tuning_update(tuning=tuning, user=owner, draft=TuningDraft("faster"))


CHANGES: dict[str, Callable[[Run, User, User], object]] = {
    "note": lambda run, owner, _admin: run_annotate(run=run, user=owner, note="mine"),
    "tag": lambda run, owner, _admin: run_tag(run=run, user=owner, add=["night"]),
    "archive": lambda run, owner, _admin: run_archive(run=run, user=owner),
    "cancel": cancelled,
    "retry": ended_again,
    "add repeats": repeats_added,
    "proof of a given-up test": confirmed,
    "release of a given-up test": lifted,
    "retention": output_removed,
    "thinning of series": thinned,
    "figures": figures_made_anew,
    "new baseline": lambda run, owner, _admin: baseline_create(
        user=owner, draft=baseline_draft(run)
    ),
    "deleted baseline": baseline_gone,
    "expectation": lambda run, owner, _admin: disk_specification_set(
        disk=disk_of(run), user=owner, values={"sla_iops": 5.0}
    ),
    "tag of a disk": lambda run, owner, _admin: disk_tag(disk=disk_of(run), user=owner, add=["a"]),
    "name of a host": host_renamed,
    "name of a disk": disk_renamed,
    "name of a group": group_renamed,
    "name of a pool": pool_renamed,
    "team of a directory": directory_given,
    "name of a plan": plan_renamed,
    "name of a tuning": tuning_renamed,
    "name of the owner": lambda _run, owner, admin: user_save(user=owner, by=admin, teams=[]),
    "name of a team": lambda _run, _owner, admin: team_save(team=create_team(), by=admin),
    "deleted team": lambda _run, _owner, admin: team_delete(team=create_team(), by=admin),
    "restore": lambda _run, _owner, _admin: ResultsVersion.objects.update(epoch=uuid.uuid4()),
    "preferences": lambda _run, owner, _admin: preferences_save(
        user=owner, wanted=Preferences(time_zone="Asia/Tokyo")
    ),
    "role": lambda _run, owner, _admin: User.objects.filter(pk=owner.pk).update(role=Role.VIEWER),
}


def assert_version_is_raised_last(statements: list[str]) -> None:
    """Between it and the end of its transaction nothing waits for another lock."""
    depth = ended = 0
    for sql in statements:
        if sql.startswith("SAVEPOINT"):
            depth += 1
        elif sql.startswith("RELEASE"):
            depth, ended = depth - 1, max(ended - 1, 0)
        else:
            assert not ended, sql
            if sql.startswith('UPDATE "common_resultsversion"'):
                ended = depth


@pytest.mark.parametrize("name", CHANGES)
def test_page_after_a_change_has_another_etag(
    name: str, run: Run, owner: User, admin: User, owner_client: Client
) -> None:
    before = etag(owner_client, run)
    assert before is not None
    assert before == etag(owner_client, run)
    with CaptureQueriesContext(connection) as captured:
        CHANGES[name](run, owner, admin)
    assert etag(owner_client, run) not in (None, before)
    assert_version_is_raised_last([row["sql"] for row in captured])


def test_unchanged_page_is_answered_304_without_a_body(run: Run, owner_client: Client) -> None:
    found = etag(owner_client, run)
    answer = owner_client.get(f"/runs/{run.pk}/", headers={"if-none-match": found or ""})
    assert (answer.status_code, answer.content) == (304, b"")
    assert answer.headers["Cache-Control"] == "private, no-cache"


def test_readers_have_etags_of_their_own(
    run: Run, owner_client: Client, viewer_client: Client, admin_client: Client
) -> None:
    found = {etag(client, run) for client in (owner_client, viewer_client, admin_client)}
    assert len(found) == 3
    german = owner_client.get(f"/runs/{run.pk}/", headers={"accept-language": "de"})
    assert german.headers["ETag"]


def test_page_with_a_waiting_message_or_a_run_that_goes_on_has_no_etag(
    run: Run, owner: User, owner_client: Client
) -> None:
    assert etag(owner_client, run) is not None
    owner_client.post(f"/runs/{run.pk}/note/", {"note": "mine"})
    assert etag(owner_client, run) is None  # it shows the message
    assert etag(owner_client, run) is not None
    assert etag(owner_client, create_run(owner=owner)) is None


def test_token_of_a_stored_page_is_valid(run: Run, owner_client: Client) -> None:
    careful = Client(enforce_csrf_checks=True)
    careful.cookies = owner_client.cookies
    page = careful.get(f"/runs/{run.pk}/")
    stored = careful.get(f"/runs/{run.pk}/").headers["ETag"]
    assert careful.get(f"/runs/{run.pk}/", headers={"if-none-match": stored}).status_code == 304
    token = re.search(r'csrfmiddlewaretoken" value="(\w{64})"', page.text)
    assert token is not None
    data = {"note": "mine", "csrfmiddlewaretoken": token[1]}
    assert careful.post(f"/runs/{run.pk}/note/", data).status_code == 302


def test_import_and_its_reparse_and_deletion_change_pages_and_results(
    run: Run, owner: User, owner_client: Client
) -> None:
    found = [versions().results]
    imported = create_import(owner)
    import_store(imported=imported, user=owner)
    found.append(versions().results)
    imported.refresh_from_db()
    assert imported.run is not None
    before = etag(owner_client, imported.run)
    assert before is not None
    attempt_reparse(attempt=Attempt.objects.filter(case__run=imported.run)[0])
    assert etag(owner_client, imported.run) not in (None, before)
    found.append(versions().results)
    for gone in (run, imported.run):
        stored, url = etag(owner_client, gone), f"/runs/{gone.pk}/"
        run_delete(run=gone, user=owner, name=gone.name)
        found.append(versions().results)
        answer = owner_client.get(url, headers={"if-none-match": stored or ""})
        assert answer.status_code == 404
    assert sorted(set(found)) == found


def test_published_attempt_raises_the_versions_and_its_ended_run_has_an_etag(
    owner: User, owner_client: Client
) -> None:
    run = create_run(owner=owner)
    fence = run_try_start(run_id=run.pk, worker="w")
    assert fence is not None
    attempt = create_attempt(run.cases.get(), state="parsing", exit=GOOD_EXIT)
    for name, content in GOOD_FILES.items():
        artifact_of(attempt, name, content).save()
    lease, found = RunLease(run.pk, fence), [seen(run)]
    attempt_publish(lease, attempt)
    found.append(seen(run))
    assert etag(owner_client, run) is None
    run_close(lease)
    found.append(seen(run))
    assert sorted(set(found)) == found
    assert etag(owner_client, run) is not None


def test_attempt_that_gave_no_result_raises_the_versions_with_the_end_of_its_run(
    owner: User, owner_client: Client
) -> None:
    run = create_run(owner=owner)
    fence = run_try_start(run_id=run.pk, worker="w")
    assert fence is not None
    attempt = create_attempt(run.cases.get(), state="parsing", exit=GOOD_EXIT)
    lease, before = RunLease(run.pk, fence), seen(run)
    attempt_close(lease, attempt, AttemptOutcome(AttemptState.FAILED, "why"), touched=True)
    assert etag(owner_client, run) is None
    run_close(lease)
    assert seen(run) > before
    assert etag(owner_client, run) is not None


def seen(run: Run) -> tuple[int, int]:
    """The versions of a run and of all results."""
    return Run.objects.get(pk=run.pk).results_version, versions().results

"""One selection: every way of writing it has one query and one JSON form, and every view keeps to
it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction
from django.http import QueryDict
from django.test import Client

from apps.accounts.models import User
from apps.accounts.tests.factories import create_user
from apps.analysis.queries.filters import selection_of
from apps.analysis.queries.ranges import ParameterRange, workloads_within
from apps.analysis.queries.selection import parts_of
from apps.analysis.queries.selection_json import expand_selection_json, selection_as_json
from apps.analysis.registry import VIEWS
from apps.analysis.result import Row
from apps.analysis.tests.compare.factories import PARAMS, Setup, create_measured_run
from apps.common.errors import ServiceError
from apps.plans.models import Workload
from apps.results.models import ResultSummary, Series
from apps.results.services.summary_table import summaries_rebuild
from apps.results.tests.factories import series_store
from apps.runs.models import Attempt, Run, RunTuning
from apps.tools import parse_result
from apps.tuning.models import TuningProfile

NOT_HERE = ("network", "bottleneck")
"""Views of what the run of these tests has not: pairs of hosts, groups."""


@pytest.fixture(scope="module")
def measured(module_owner: User, django_db_blocker: Any) -> Iterator[Run]:
    """A run of three depths, read by all tests of this module."""
    points = [PARAMS | {"iodepth": depth, "bs": bs} for depth in (1, 4, 32) for bs in (4096, 65536)]
    with django_db_blocker.unblock(), transaction.atomic():
        run = create_measured_run(Setup(module_owner, points=points, histograms=True))
        newest = Attempt.objects.filter(case__run=run).order_by("-started_at")[0]
        rates = parse_result.Series("iops", tuple(float(n) for n in range(60)))
        series_store(attempt=newest, source=Series.Source.TOOL, subject="read", series=[rates])
        yield run
        transaction.set_rollback(True)


def fits(run: Run) -> dict[str, str]:
    """A value of each part that the run's results have."""
    case = run.cases.select_related("workload", "run_target__target__disk").order_by("pk")[0]
    assert case.run_target.target is not None
    disk, host = case.run_target.target.disk, case.members[0].host
    return {
        "run": str(run.pk), "tool": case.workload.tool, "param": "bs:4k..", "host": host.name,
        "target": str(disk.pk), "model": disk.model_name, "owner": run.owner.username,
        "imported": "false", "after": "2001-01-01", "before": "2999-01-01T00:00Z",
    }  # fmt: skip


def misses() -> dict[str, str]:
    """A value of each part that none of the run's results has."""
    other = create_measured_run(Setup(create_user(), points=[PARAMS | {"rw": "write"}], repeats=1))
    elsewhere = other.cases.order_by("pk")[0]
    assert elsewhere.run_target.target is not None
    host, disk = elsewhere.members[0].host_id, elsewhere.run_target.target.disk
    return {
        "run": str(other.pk), "case": str(elsewhere.pk), "tool": "iperf",
        "param": "iodepth:33..", "tag": "no-such-tag", "model": "no such model",
        "owner": str(other.owner_id), "imported": "true", "after": "2999-01-01",
        "before": "2001-01-01", "host": str(host), "target": str(disk.pk),
        "workload": elsewhere.workload.key,
        "tuning": str(TuningProfile.objects.create(name="of nothing", owner=other.owner).pk),
    }  # fmt: skip


def rows_of(view: str, **query: str) -> list[Row]:
    """The rows of all tables of a view's answer."""
    data = QueryDict(mutable=True)
    data.update(query)
    return [row for table in VIEWS[view].analyse(data).tables for row in table.rows]


@pytest.mark.django_db
@pytest.mark.parametrize("view", [view for view in sorted(VIEWS) if parts_of(view)])
def test_view_applies_every_part_of_the_selection(measured: Run, view: str) -> None:
    key = measured.cases.order_by("pk")[0].workload.key
    one = {"workload": key} if view in ("history", "fleet") else {"run": str(measured.pk)}
    fitting = {name: text for name, text in fits(measured).items() if name in parts_of(view)}
    shown = rows_of(view, **one)
    assert shown or view in NOT_HERE
    assert rows_of(view, **{**fitting, **one}) == shown
    for name, text in misses().items():
        if name in parts_of(view) and name not in one and view not in NOT_HERE:
            assert rows_of(view, **{**one, name: text}) == [], name


@pytest.mark.django_db
@pytest.mark.parametrize(
    "view", ["compare", "sweep", "table", "medians", "distribution", "config-diff"]
)
def test_a_tuning_is_one_by_number_and_by_name(
    measured: Run, module_owner: User, view: str
) -> None:
    profile = TuningProfile.objects.create(name="renamed since", owner=module_owner)
    own = measured.tunings.get(name="Scheduler none")
    RunTuning.objects.filter(pk=own.pk).update(tuning=profile)
    summaries_rebuild()
    ResultSummary.objects.filter(run_tuning=own).update(tuning=profile)
    one = {"run": str(measured.pk), "factor": "param:iodepth"}
    one = one if view in ("compare", "sweep") else {"run": str(measured.pk)}
    by_name = rows_of(view, **one, tuning=own.name)
    assert by_name == rows_of(view, **one, tuning=str(profile.pk))
    assert by_name
    assert by_name != rows_of(view, **one, tuning="Host defaults") or view == "config-diff"
    params = QueryDict(mutable=True)
    params.update({**one, "tuning": own.name})
    assert selection_as_json(view, VIEWS[view].analyse(params).query)["tuning"] == [own.name]


@pytest.mark.django_db
def test_one_query_and_one_document_for_every_way_of_writing(measured: Run) -> None:
    host = measured.cases.order_by("pk")[0].members[0].host
    written = QueryDict(
        f"param=bs:4k&host={host.name}&imported=false&after=2026-01-01T02:00%2B02:00&param=iodepth:1..32"
        f"&run={measured.pk}&host=&run={measured.pk}"
    )
    query = (
        f"run={measured.pk}&param=bs%3A4096&param=iodepth%3A1..32&host={host.pk}&imported=false"
        "&after=2026-01-01T00%3A00%3A00Z"
    )
    assert selection_of(written).urlencode() == query
    document = selection_as_json("fleet", query)
    assert document == {
        "run": [measured.pk],
        "param": [
            {"name": "bs", "value": 4096},
            {"name": "iodepth", "least": 1, "most": 32},
        ],
        "host": [host.pk],
        "imported": False,
        "after": "2026-01-01T00:00:00Z",
    }
    again = expand_selection_json(QueryDict("selection=" + json.dumps(document)))
    assert selection_of(again).urlencode() == query


@pytest.mark.django_db
def test_the_api_takes_and_gives_the_document(measured: Run, viewer_client: Client) -> None:
    params = {"run": [measured.pk], "param": [{"name": "iodepth", "most": 4}]}
    answer = viewer_client.get("/api/v1/analysis/medians/", {"selection": json.dumps(params)})
    assert answer.json()["selection"] == params
    rows = answer.json()["tables"][0]["rows"]
    assert len(rows) == len(rows_of("medians", run=str(measured.pk))) * 2 // 3
    for wrong in ("[]", "{", '{"colour": 1}', '{"run": "x"}', '{"param": "iodepth"}'):
        page = viewer_client.get("/api/v1/analysis/medians/", {"selection": wrong})
        assert page.status_code == 400, wrong


@pytest.mark.django_db
def test_a_comparison_of_a_selection_alone_finds_its_runs(
    measured: Run, viewer_client: Client
) -> None:
    """The form keeps what narrows it."""
    params = {"owner": measured.owner.username, "param": "iodepth:4"}
    page = viewer_client.get("/compare/", params, follow=True)
    text = page.content.decode()
    assert page.status_code == 200
    assert '<input type="text" name="param" value="iodepth:4"' in text
    assert viewer_client.get("/compare/", {"param": "iodepth"}).status_code == 400


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("texts", "depths"),
    [
        (("iodepth:4",), {4}),
        (("iodepth:2..32",), {4, 32}),
        (("iodepth:..4",), {1, 4}),
        (("iodepth:1", "iodepth:32"), {1, 32}),
        (("iodepth:1..32", "bs:1M.."), set()),
        (("rw:randread", "iodepth:32"), {32}),
        (("no_such:1..",), set()),
    ],
)
def test_ranges_of_parameters(measured: Run, texts: tuple[str, ...], depths: set[int]) -> None:
    found = workloads_within(map(ParameterRange.read, texts))
    own = Workload.objects.filter(pk__in=found, cases__run=measured)
    assert {row.params["iodepth"] for row in own} == depths


@pytest.mark.parametrize("text", ["iodepth", "iodepth:", "IO:1", "bs:4k..x", ""])
def test_invalid_range_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="Write parameters as"):
        ParameterRange.read(text)


@pytest.mark.django_db
def test_missing_rows_are_an_error() -> None:
    for query in (
        "run=99999999",
        "host=nobody",
        "tool=tea",
        "owner=0",
        "target=x",
        "run=" + "9" * 30,
    ):
        with pytest.raises(ServiceError) as refused:
            selection_of(QueryDict(query))
        assert set(refused.value.fields) == {query.split("=")[0]}

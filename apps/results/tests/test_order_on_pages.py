"""Values stand by value and operations in their tool's order, whatever the order of measurement."""

from __future__ import annotations

import re

from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.inventory.models import Host
from apps.plans.models import Workload
from apps.results.services.attempt_results import results_store
from apps.runs.models import Attempt, AttemptState, Origin, Run, RunState
from apps.runs.tests.factories import create_case
from apps.tools import parse_result
from apps.tools.registry import TOOLS

# As a sorted list of files has them.
JOBS = (1, 16, 2, 32, 4, 8)


def create_run(
    owner: User, tool: str, points: list[dict[str, object]], operations: tuple[str, ...]
) -> Run:
    host = Host.objects.create(name="node1", kind=Host.Kind.LOCAL)
    run = Run.objects.create(name="sorted", owner=owner, state=RunState.SUCCEEDED)
    for position, raw in enumerate(points):
        params_class = TOOLS[tool].params
        assert params_class is not None
        params = params_class.from_raw(raw)
        workload = Workload.objects.create(
            key=f"{position}", tool=tool, params=params.canonical(), label=params.describe()
        )
        case = create_case(run, workload, host, name="pool", tuning="Host defaults")
        attempt = Attempt.objects.create(case=case, state=AttemptState.SUCCEEDED)
        found = tuple(parse_result.Measurement(name, 4096.0 * 10, 10.0) for name in operations)
        results_store(
            attempt=attempt, parsed=parse_result.Parsed(tool, "text", "1", found), parser_version=1
        )
    return run


def options(html: str, name: str) -> list[str]:
    select = re.search(rf'<select name="{name}".*?</select>', html, re.DOTALL)
    assert select, name
    return re.findall(r'<option value="([^"]*)"', select[0])


def test_selects_of_the_curves(owner: User, viewer_client: Client) -> None:
    points: list[dict[str, object]] = [
        {"rw": rw, "numjobs": jobs, "iodepth": depth}
        for rw in ("randwrite", "read")
        for jobs in JOBS
        for depth in (4, 1)
    ]
    run = create_run(owner, "fio", points, ("write", "read"))
    address = reverse("sweep")
    html = viewer_client.get(f"{address}?run={run.pk}&x=iodepth").content.decode()
    assert options(html, "at-numjobs") == ["*", "1", "2", "4", "8", "16", "32"]
    assert options(html, "show") == ["read", "write"]
    assert options(html, "at-rw") == ["*", "read", "randwrite"], "as fio's own form has them"


def test_the_rados_page_writes_before_it_reads(owner: User, viewer_client: Client) -> None:
    run = create_run(owner, "rados", [{}], ("rand", "seq", "write"))
    case = run.cases.get()
    html = viewer_client.get(reverse("case_detail", args=[case.pk])).content.decode()
    places = [html.index(f">{name}<") for name in ("write", "seq", "rand")]
    assert places == sorted(places)
    html = viewer_client.get(reverse("run_detail", args=[run.pk])).content.decode()
    table = html[html.index('id="run-cases"') :] if 'id="run-cases"' in html else html
    found = re.findall(r"\b(write|seq|rand)\b(?!\+)", re.sub(r"<[^>]*>", " ", table))
    assert [name for name in found if name][-3:] == ["write", "seq", "rand"]


NAMED = r"sequential read 4 KiB, QD 128(?:, (\d+) jobs)?, in 1 GiB"


def test_an_imported_runs_cases_stand_by_value(owner: User, viewer_client: Client) -> None:
    points: list[dict[str, object]] = [{"rw": "read", "numjobs": jobs} for jobs in JOBS]
    run = create_run(owner, "fio", points, ("read",))
    Run.objects.update(origin=Origin.IMPORTED)
    html = viewer_client.get(reverse("run_detail", args=[run.pk])).content.decode()
    assert list(dict.fromkeys(re.findall(NAMED, html))) == [
        str(jobs) if jobs > 1 else "" for jobs in sorted(JOBS)
    ]
    Run.objects.update(origin=Origin.LAUNCHED)
    html = viewer_client.get(reverse("run_detail", args=[run.pk])).content.decode()
    planned = [str(jobs) if jobs > 1 else "" for jobs in JOBS]
    assert list(dict.fromkeys(re.findall(NAMED, html))) == planned


def test_tests_that_differ_have_different_names(owner: User, viewer_client: Client) -> None:
    points: list[dict[str, object]] = [
        {"iodepth": 1, "size": "1G"},
        {"iodepth": 1, "size": ""},
        {"iodepth": 2, "size": "1G"},
    ]
    run = create_run(owner, "fio", points, ("read",))
    html = viewer_client.get(reverse("run_detail", args=[run.pk])).content.decode()
    names = [
        "random read 4 KiB, QD 1, in 1 GiB",
        "random read 4 KiB, QD 1",
        "random read 4 KiB, QD 2, in 1 GiB",
    ]
    for name, case in zip(names, run.cases.order_by("sequence"), strict=True):
        assert name in html
        page = viewer_client.get(reverse("case_detail", args=[case.pk])).content.decode()
        assert f"<title>{name}" in page.replace("\n", "")

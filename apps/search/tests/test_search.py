"""Words find rows by names, notes, tags and serial numbers; the same on the page and by the API."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from apps.accounts.models import Role, User
from apps.accounts.tests.factories import create_user
from apps.inventory.models import Host
from apps.inventory.tests.factories import (
    create_disk,
    create_disk_model,
    create_group,
    create_host,
    create_pool,
)
from apps.plans.models import TestPlan, Workload
from apps.runs.models import Run
from apps.runs.tests.factories import create_run
from apps.search.selectors.search import LONGEST, Hits, search, suggestions
from apps.tuning.models import TuningProfile

pytestmark = pytest.mark.django_db


def names_by_kind(text: str, most: int = 5) -> dict[str, list[str]]:
    """Names by kind."""
    return {hits.kind.key: names(hits) for hits in search(text, most=most)}


def names(hits: Hits) -> list[str]:
    return [one.name for one in hits.results]


def noted_run(owner: User, note: str, **fields: Any) -> Run:
    run = create_run(owner=owner)
    Run.objects.filter(pk=run.pk).update(note=note, **fields)
    run.refresh_from_db()
    return run


def test_a_disk_by_a_part_of_its_serial_number() -> None:
    disk = create_disk(serial="S5G0NX0R301937", model=create_disk_model("Samsung PM9A3"))
    create_disk(serial="S5G0NX0R309999")
    assert names_by_kind("r301937") == {"disks": [str(disk)]}
    assert names_by_kind("pm9a3 S5G0") == {"disks": [str(disk)]}


def test_every_word_must_be_held(owner: User) -> None:
    run = noted_run(owner, "after the firmware update", name="night")
    noted_run(owner, "before the firmware update", name="day")
    assert names_by_kind("night firmware") == {"runs": [str(run)]}


def test_a_note_is_found_by_another_form_of_its_word(owner: User) -> None:
    run = noted_run(owner, "with tuned schedulers")
    assert names_by_kind("scheduler tuning")["runs"] == [str(run)]


@pytest.mark.parametrize("text", ["#{}", "{}"])
def test_a_run_by_its_number(owner: User, text: str) -> None:
    run = create_run(owner=owner)
    create_run(owner=owner, repeats=2)
    assert names_by_kind(text.format(run.pk))["runs"] == [str(run)]


@pytest.mark.parametrize("text", ["run {}", "Run #{}", "#{}"])
def test_number_with_word_finds_the_run(owner: User, text: str) -> None:
    run = create_run(owner=owner)
    assert names_by_kind(text.format(run.pk))["runs"] == [str(run)]


@pytest.mark.parametrize("text", ["case {}", "CASE #{}"])
def test_number_with_word_finds_the_case(owner: User, text: str) -> None:
    case = create_run(owner=owner).cases.get()
    assert names_by_kind(text.format(case.pk))["cases"] == [str(case)]
    assert "cases" not in names_by_kind(str(case.pk))


@pytest.mark.parametrize("number", ["0", "9" * 19, "²"])
def test_number_that_no_row_has_finds_nothing(owner: User, number: str) -> None:
    create_run(owner=owner)
    assert not {"runs", "cases"} & names_by_kind(f"case {number}").keys()


def test_metric_is_found_by_its_label(viewer_client: Client) -> None:
    (hits,) = search("iops", most=20)
    assert (hits.kind.key, hits.results[0].name) == ("metrics", "IOPS")
    address = hits.results[0].address
    assert (address, viewer_client.get(address).status_code) == ("/history/?metric=iops", 200)
    assert names_by_kind("p99 latency")["metrics"]


def test_suggestions_share_the_places_between_kinds(owner: User) -> None:
    for number in range(9):
        create_host(name=f"alpha-{number}")
    create_group(owner=owner, name="alpha group")
    hits = suggestions("alpha", most=8)
    assert {one.kind.key: len(one.results) for one in hits} == {"hosts": 7, "groups": 1}
    assert suggestions("", most=8) == []


def test_suggestions_are_the_same_for_owner_viewer_and_stranger(owner: User) -> None:
    run = noted_run(owner, "quarterly")
    stranger, viewer = create_user(role=Role.OPERATOR), create_user(role=Role.VIEWER)
    for user in (owner, viewer, stranger):
        client = Client()
        client.force_login(user)
        page = client.get("/search/suggestions/?q=quarterly").content.decode()
        assert f'href="/runs/{run.pk}/"' in page
        assert page.count('role="option"') == 2
    assert Client().get("/search/suggestions/?q=quarterly").status_code == 302


def test_suggestions_escape_names_and_words(viewer_client: Client) -> None:
    create_host(name="<b>node</b>")
    page = viewer_client.get("/search/suggestions/?q=%3Cb%3Enode").content.decode()
    assert "<b>" not in page
    assert "/search/?q=%3Cb%3Enode" in page


@pytest.mark.parametrize("query", ["", "q=", "q=nowhere", "q=%00"])
def test_suggestions_without_a_match_are_empty(viewer_client: Client, query: str) -> None:
    response = viewer_client.get(f"/search/suggestions/?{query}")
    assert (response.status_code, response.content.strip()) == (200, b"")


def test_a_host_by_its_tag_and_address() -> None:
    create_host(name="node-a", tags=["rack-7"], address="198.51.100.7")
    assert names_by_kind("rack-7") == {"hosts": ["node-a"]}
    assert names_by_kind("198.51.100") == {"hosts": ["node-a"]}


def workload_run(owner: User, *labels: str) -> Run:
    run = create_run(owner=owner)
    for case, label in zip(run.cases.order_by("sequence"), labels, strict=False):
        case.workload = Workload.objects.create(
            key=f"{run.pk} {label}", tool="fio", params={}, label=label
        )
        case.save()
    return run


@pytest.mark.parametrize(
    "text",
    ["4k random read", "4KB randread", "4 KiB random reads", "4096b rand read", "qd32 4kib"],
)
def test_workload_and_its_runs_are_found_by_synonyms(owner: User, text: str) -> None:
    run = workload_run(owner, "random read 4 KiB, QD 32")
    workload_run(owner, "random read 64 KiB, QD 32")
    workload_run(owner, "sequential write 4 KiB, QD 1")
    hits = names_by_kind(text)
    assert hits["runs"] == [str(run)]
    assert "random read 4 KiB, QD 32" in hits["workloads"]
    assert not [name for name in hits["workloads"] if "64 KiB" in name or "write" in name]


@pytest.mark.parametrize("text", ["seq write", "sequential writes", "seqwrite"])
def test_sequential_write_is_found_by_synonyms(owner: User, text: str) -> None:
    run = workload_run(owner, "sequential write 1 MiB, QD 8")
    workload_run(owner, "random write 1 MiB, QD 8")
    assert names_by_kind(text)["runs"] == [str(run)]


def test_plan_with_short_names_is_found_by_long_words(owner: User) -> None:
    create_run(owner=owner)
    TestPlan.objects.update(name="randread 4k nightly")
    assert names_by_kind("random read 4 KiB")["plans"] == ["randread 4k nightly"]


def test_run_whose_words_belong_to_two_workloads_is_not_found(owner: User) -> None:
    run = create_run(owner=owner, repeats=2)
    first, second = run.cases.order_by("sequence")
    for case, label in ((first, "random read 8 KiB"), (second, "sequential write 4 KiB")):
        case.workload = Workload.objects.create(key=label, tool="fio", params={}, label=label)
        case.save()
    assert "runs" not in names_by_kind("random 4k")
    assert names_by_kind("random 8k")["runs"] == [str(run)]


def test_run_is_found_by_host_owner_and_workload(owner: User) -> None:
    run = workload_run(owner, "random read 4 KiB, QD 32")
    host = run.targets.get().all_members[0].host
    Host.objects.filter(pk=host.pk).update(name="zeppelin")
    assert names_by_kind("zeppelin")["runs"] == [str(run)]
    assert names_by_kind(owner.username)["runs"] == [str(run)]
    assert names_by_kind(f"zeppelin 4k {owner.username}")["runs"] == [str(run)]
    assert "runs" not in names_by_kind("zeppelin 8k")


def test_newest_runs_of_a_workload_come_first(owner: User) -> None:
    runs = [create_run(owner=owner) for _ in range(3)]
    label = runs[0].cases.get().workload.label
    (hits,) = (one for one in search(label, most=2) if one.kind.key == "runs")
    assert ([one.id for one in hits.results], hits.more) == ([runs[2].pk, runs[1].pk], True)


def test_pools_groups_tunings_and_workloads(owner: User) -> None:
    create_pool(owner=owner, name="zebra-pool")
    create_group(owner=owner, name="zebra group")
    TuningProfile.objects.create(name="stripes", description="for zebra hosts", owner=owner)
    Workload.objects.create(key="z", tool="fio", params={}, label="zebra 4 KiB")
    assert {kind: len(rows) for kind, rows in names_by_kind("ZEBRA").items()} == {
        "pools": 1, "groups": 1, "tunings": 1, "workloads": 1,
    }  # fmt: skip


def test_names_that_are_alike_are_offered_where_nothing_fits() -> None:
    create_host(name="storage-north")
    hits = search("sotrage-north", most=5)
    assert [(one.kind.key, one.alike, names(one)) for one in hits] == [
        ("hosts", True, ["storage-north"])
    ]


def test_more_matches_are_indicated() -> None:
    for number in range(4):
        create_host(name=f"alpha-{number}")
    (hits,) = search("alpha", most=3)
    assert (len(hits.results), hits.more) == (3, True)


@pytest.mark.parametrize("text", ["", "  ", "\0", "%", "_", "\\", "'", "x" * 5_000, "a & | ! ( )"])
def test_odd_words_find_nothing_and_break_nothing(text: str) -> None:
    create_host(name="node")
    assert names_by_kind(text) == {}


def test_a_long_question_is_cut() -> None:
    create_host(name="n" * 60)
    assert names_by_kind("n" * 60 + " " * LONGEST + "nonsense")["hosts"] == ["n" * 60]


def test_the_page_links_what_it_finds(viewer_client: Client) -> None:
    disk = create_disk(serial="ZX-81")
    page = viewer_client.get("/search/?q=zx-81").content.decode()
    assert f'href="/disks/{disk.pk}/"' in page
    assert 'value="zx-81"' in page


@pytest.mark.parametrize(
    ("query", "words"),
    [("", "Search for what?"), ("q=nowhere", "Nothing holds “nowhere”"), ("q=a&kind=x", "Nothing")],
)
def test_the_page_says_what_to_do(viewer_client: Client, query: str, words: str) -> None:
    assert words in viewer_client.get(f"/search/?{query}").content.decode()


def test_all_of_one_kind(viewer_client: Client) -> None:
    for number in range(10):
        create_host(name=f"alpha-{number}")
    create_disk(model=create_disk_model("alpha"))
    few = viewer_client.get("/search/?q=alpha").content.decode()
    assert few.count(">alpha-") == 8
    assert "kind=hosts" in few
    every = viewer_client.get("/search/?q=alpha&kind=hosts").content.decode()
    assert every.count(">alpha-") == 10
    assert 'id="results-disks"' not in every


def test_what_people_wrote_is_not_markup(viewer_client: Client, owner: User) -> None:
    noted_run(owner, "<script>alert(1)</script> unsafe")
    page = viewer_client.get("/search/?q=unsafe").content.decode()
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page


def test_pool_is_listed_with_its_host(
    api: Callable[[User | None], APIClient], viewer: User, owner: User
) -> None:
    pool = create_pool(owner=owner, name="zebra-pool")
    response = api(viewer).get("/api/v1/search/?q=zebra-pool&kind=pools")
    (hits,) = response.json()["hits"]
    assert hits["results"][0]["about"] == pool.host.name


def test_api_lists_metrics_without_an_id(
    api: Callable[[User | None], APIClient], viewer: User
) -> None:
    (hits,) = api(viewer).get("/api/v1/search/?q=iops&kind=metrics").json()["hits"]
    first = hits["results"][0]
    assert (first["id"], first["page"]) == (None, "/history/?metric=iops")


def test_the_api(api: Callable[[User | None], APIClient], viewer: User, owner: User) -> None:
    run = noted_run(owner, "quarterly")
    answer = api(viewer).get("/api/v1/search/?q=quarterly&kind=runs").json()
    assert answer["hits"] == [
        {
            "kind": "runs",
            "alike": False,
            "more": False,
            "results": [
                {
                    "id": run.pk,
                    "name": str(run),
                    "about": f"#{run.pk} · {owner} · quarterly",
                    "page": f"/runs/{run.pk}/",
                }
            ],
        }
    ]


@pytest.mark.parametrize("query", ["", "q=", "q=a&kind=people", "q=a&sort=name"])
def test_the_api_refuses(api: Callable[[User | None], APIClient], viewer: User, query: str) -> None:
    assert api(viewer).get(f"/api/v1/search/?{query}").status_code == 400

"""A run's network as a matrix of clients and servers."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.analysis.network.figures import mesh_map
from apps.analysis.network.mesh import mesh_of, run_mesh_links
from apps.inventory.models import Host, HostPair
from apps.plans.models import TestPlan
from apps.plans.schemas.plan import PlanSpec, StepSpec
from apps.plans.tests.factories import add_target
from apps.results.models import Measurement
from apps.results.services.summary_table import summaries_rebuild
from apps.runs.models import Case, Run
from apps.runs.services.runs import run_launch
from apps.runs.tests.factories import create_attempt, create_host, create_run

pytestmark = pytest.mark.django_db
GBIT = 1.25e8
WORDS = {"client": "Client", "server": "Server"}


def create_mesh(owner: User, *names: str, **params: Any) -> Run:
    """A run of one iperf step on every ordered pair of new hosts."""
    hosts = [
        create_host(name=name, kind=Host.Kind.SSH, address=f"10.0.0.{number}")
        for number, name in enumerate(names, 1)
    ]
    spec = PlanSpec(steps=(StepSpec("iperf", params),), repeats=1)
    plan = TestPlan.objects.create(name="mesh", owner=owner, spec=spec)
    for client in hosts:
        for server in hosts:
            if client != server:
                pair = HostPair.objects.create(client=client, server=server)
                add_target(plan, pair)
    return run_launch(plan=plan, user=owner)


def case_of(run: Run, client: str, server: str) -> Case:
    return run.cases.get(run_target__name=f"{client} → {server}")


def measured(run: Run, client: str, server: str, gbit: float, **values: float) -> None:
    """A valid result: so much sent, a little less received."""
    attempt = create_attempt(case_of(run, client, server))
    for operation, share in (("send", 1.0), ("receive", 0.99)):
        Measurement.objects.create(
            attempt=attempt,
            case=attempt.case,
            workload=attempt.case.workload,
            operation=operation,
            bandwidth=gbit * share * GBIT,
            values={**values},
            parser_version=1,
        )
    summaries_rebuild()


def test_what_arrived_is_the_rate_and_the_sender_knows_of_retransmits(owner: User) -> None:
    run = create_mesh(owner, "a", "b")
    measured(run, "a", "b", 10.0, retransmits=7)
    link = next(link for link in run_mesh_links(run) if link.client == "a")
    assert link.value("bandwidth") == pytest.approx(9.9 * GBIT)
    assert link.value("retransmits") == 7
    assert link.value("loss") is None


def test_a_matrix_has_a_cell_for_each_pair_and_says_why_one_is_empty(owner: User) -> None:
    run = create_mesh(owner, "a", "b", "c")
    measured(run, "a", "b", 9.0)
    measured(run, "b", "a", 4.0)
    create_attempt(case_of(run, "a", "c"), state="failed", reason="a firewall is in between")
    mesh = mesh_of(run_mesh_links(run), "bandwidth")
    assert mesh.hosts == ("a", "b", "c")
    assert mesh.cell("a", "b").value == pytest.approx(9.0 * 0.99 * GBIT)
    assert mesh.cell("a", "c").why == "a firewall is in between"
    assert mesh.cell("b", "c").why == "not measured yet"
    assert "itself" in mesh.cell("a", "a").why
    worst, best = mesh.extremes(True)
    assert (worst[:2], best[:2]) == (("b", "a"), ("a", "b"))


def test_figures_are_readable_without_colours(owner: User) -> None:
    run = create_mesh(owner, "a", "b")
    measured(run, "a", "b", 9.0)
    (trace,) = mesh_map(mesh_of(run_mesh_links(run), "bandwidth"), WORDS)["data"]
    assert (trace["x"], trace["y"]) == (["a", "b"], ["a", "b"])
    assert trace["text"][0][1] == "8.910 Gbit/s<br>1,113.8 MB/s"
    assert trace["z"][0] == [None, pytest.approx(8.91)]
    assert trace["customdata"][1][0] == "not measured yet"
    assert trace["reversescale"] is False


def test_less_is_better_for_retransmits(owner: User) -> None:
    run = create_mesh(owner, "a", "b")
    measured(run, "a", "b", 9.0, retransmits=3)
    measured(run, "b", "a", 9.0, retransmits=400)
    mesh = mesh_of(run_mesh_links(run), "retransmits")
    assert mesh.extremes(False)[0][:2] == ("b", "a")
    (trace,) = mesh_map(mesh, WORDS)["data"]
    assert trace["reversescale"] is True
    assert trace["text"][1][0] == "400"


def test_the_page_names_the_worst_pair_with_both_units(client: Client, owner: User) -> None:
    client.force_login(owner)
    run = create_mesh(owner, "node1", "node2")
    measured(run, "node1", "node2", 9.0, retransmits=1)
    measured(run, "node2", "node1", 1.0, retransmits=2)
    text = client.get(f"/runs/{run.pk}/mesh/").content.decode()
    assert "Worst pair: <strong>node2 → node1</strong>" in text
    assert "0.9900 Gbit/s (123.8 MB/s)" in text
    assert client.get(f"/runs/{run.pk}/").content.decode().count(f"/runs/{run.pk}/mesh/") == 1


def test_a_figure_is_chosen_and_an_unknown_one_is_a_sentence(client: Client, owner: User) -> None:
    client.force_login(owner)
    run = create_mesh(owner, "a", "b")
    measured(run, "a", "b", 9.0, retransmits=1)
    chosen = client.get(f"/runs/{run.pk}/mesh/?figure=retransmits")
    assert "Retransmitted segments</h2>" in chosen.content.decode()
    assert client.get(f"/runs/{run.pk}/mesh/?figure=colour").status_code == 400


def test_a_run_without_pairs_says_what_to_do_and_has_no_link(client: Client, owner: User) -> None:
    client.force_login(owner)
    run = create_run(owner=owner)
    assert "No pair of hosts" in client.get(f"/runs/{run.pk}/mesh/").content.decode()
    assert "/mesh/" not in client.get(f"/runs/{run.pk}/").content.decode()


def test_everybody_logged_in_may_look_and_a_stranger_may_not(
    client: Client, owner: User, viewer: User
) -> None:
    run = create_mesh(owner, "a", "b")
    assert client.get(f"/runs/{run.pk}/mesh/").status_code == 302
    client.force_login(viewer)
    assert client.get(f"/runs/{run.pk}/mesh/").status_code == 200


def test_a_large_mesh_takes_few_queries(
    client: Client, owner: User, django_assert_max_num_queries: Any
) -> None:
    client.force_login(owner)
    run = create_mesh(owner, *(f"n{number}" for number in range(5)))
    for case in run.cases.all():
        client_end, server_end = case.members
        measured(run, client_end.host_name, server_end.host_name, 5.0)
    with django_assert_max_num_queries(12):
        assert client.get(f"/runs/{run.pk}/mesh/").status_code == 200


def test_a_case_of_a_network_shows_gbit_and_mb(client: Client, owner: User) -> None:
    client.force_login(owner)
    run = create_mesh(owner, "a", "b")
    measured(run, "a", "b", 10.0, retransmits=3, round_trip=1.25e6)
    text = client.get(f"/cases/{case_of(run, 'a', 'b').pk}/").content.decode()
    assert "10.000 Gbit/s (1,250.0 MB/s)" in text or "10.00 Gbit/s (1,250.0 MB/s)" in text
    assert "Retransmitted segments" in text
    assert "1.250 ms" in text
    assert ">IOPS<" not in text


def test_a_pair_leads_to_its_history(owner: User, owner_client: Client) -> None:
    run = create_mesh(owner, "a", "b")
    measured(run, "a", "b", 10.0)
    measured(run, "b", "a", 4.0)
    pair = HostPair.objects.get(client__name="b")
    key = run.cases.all()[0].workload.key
    address = f"{reverse('history')}?workload={key}&target={pair.pk}"
    page = owner_client.get(reverse("run_mesh", args=[run.pk])).content.decode()
    assert address in page.replace("&amp;", "&")
    data = owner_client.get("/api/v1/analysis/network/", {"run": run.pk}).json()
    assert [link["address"] for link in data["next_steps"]] == [address]
    assert owner_client.get(address).status_code == 200

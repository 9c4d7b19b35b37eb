"""The pages of many hosts: preview, selection, checks as they come in, trust; and the API."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.inventory.models import Host, HostAuthority, HostBatch
from apps.inventory.selectors.inventory import fingerprint
from apps.inventory.services import host_key_offered
from apps.inventory.tests.factories import create_batch, create_host, public_line

pytestmark = pytest.mark.django_db

ADD = "/hosts/add-many/"
BULK = "/api/v1/hosts/bulk/"
FORM = {"user": "root", "port": "22", "privilege_mode": "root", "key": "new"}
Api = Callable[[User | None], APIClient]


def boxes(page: str) -> list[str]:
    return re.findall(r'name="row" form="host-list" value="([^"]+)"', page)


def preview(client: Client, text: str, **more: object) -> str:
    response = client.post(ADD, FORM | {"text": text, "step": "preview"} | more)
    assert response.status_code == 200, response.content.decode()[:2000]
    return response.content.decode()


def test_a_list_is_previewed_then_stored(admin_client: Client) -> None:
    text = "name,address,port\na,192.0.2.1,22\nb,192.0.2.2,99999\nc,192.0.2.3,22\n<b>x</b>,,"
    page = preview(admin_client, text)
    assert "“99999” is not a port" in page
    assert "<b>x</b>" not in page
    assert not Host.objects.exists()
    assert [box.split(" ")[1] for box in boxes(page)] == ["a", "c"]
    rows = FORM | {"text": text, "step": "add", "row": boxes(page)[:1]}
    response = admin_client.post(ADD, rows, follow=True)
    assert "1 host is stored." in response.content.decode()
    assert [host.name for host in Host.objects.all()] == ["a"]
    assert response.redirect_chain == [(f"/host-batches/{HostBatch.objects.get().pk}/", 302)]


def test_a_second_preview_selects_the_rows_that_are_new_in_the_list(admin_client: Client) -> None:
    selected = boxes(preview(admin_client, "a"))
    page = preview(admin_client, "a b", row=selected)
    assert re.findall(r'value="[^ "]+ (\w)" checked', page) == ["a", "b"]


def test_a_preview_without_usable_rows_offers_no_addition(admin_client: Client) -> None:
    assert 'value="add"' in preview(admin_client, "a")
    assert 'value="add"' not in preview(admin_client, "name,address,port\na,,99999")


def test_a_stale_selection_shows_the_preview_again(admin_client: Client) -> None:
    text = "name,address\na,192.0.2.1"
    selected = boxes(preview(admin_client, text))
    response = admin_client.post(
        ADD, FORM | {"text": text.replace(".1", ".2"), "step": "add", "row": selected}
    )
    page = response.content.decode()
    assert response.status_code == 400
    assert "differs from the preview" in page
    assert "root@192.0.2.2:22" in page
    assert not Host.objects.exists()


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"text": ""}, "Paste a list, or choose a file."),
        ({"text": "#!/bin/sh\nreboot"}, "runs no program"),
        ({"text": "a", "user": "x y"}, "A user name has letters"),
        ({"text": "a", "port": "0"}, "greater than or equal to 1"),
        ({"text": "a", "key": "key:none"}, "not one of the available choices"),
        ({"text": "a", "step": "add"}, "No host is selected."),
    ],
)
def test_bad_input_has_a_sentence(
    admin_client: Client, data: dict[str, str], sentence: str
) -> None:
    response = admin_client.post(ADD, FORM | {"step": "preview"} | data)
    assert sentence in response.content.decode()
    assert not Host.objects.exists()


def test_a_file_takes_the_place_of_the_text(admin_client: Client) -> None:
    file = SimpleUploadedFile("hosts.csv", "\ufeffname,address\r\nf,192.0.2.7\r\n".encode())
    page = preview(admin_client, "old", file=file)
    assert "f,192.0.2.7" in page  # in the text, for the next step
    assert len(boxes(page)) == 1
    bad = SimpleUploadedFile("hosts.csv", "name\n主".encode("gb18030"))
    response = admin_client.post(ADD, FORM | {"step": "preview", "file": bad})
    assert response.status_code == 400
    assert "not UTF-8 text" in response.content.decode()


def test_the_preview_of_a_thousand_rows_costs_few_queries(
    admin_client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(15):
        assert len(boxes(preview(admin_client, "node[0001-1000]"))) == 1000


def test_checks_are_a_table_that_polls_and_filters(
    viewer_client: Client, admin: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    good = create_host(name="good")
    bad = create_host(name="bad", health=Host.Health.UNREACHABLE, health_text="no answer in 20 s")
    waiting = create_host(name="waiting", check_requested_at=timezone.now())
    batch = create_batch(admin, good, bad, waiting)
    address = f"/host-batches/{batch.pk}/"
    with django_assert_max_num_queries(12):
        page = viewer_client.get(address).content.decode()
    assert "no answer in 20 s" in page
    assert "data-poll-url" in page
    wrong = viewer_client.get(f"{address}?show=wrong").content.decode()
    assert ">bad<" in wrong
    assert ">good<" not in wrong
    assert viewer_client.get(f"{address}checks/").status_code == 200
    Host.objects.update(check_requested_at=None)
    assert viewer_client.get(f"{address}checks/").status_code == 286
    assert "Trust the listed keys" not in page


def test_an_admin_deploys_the_key_and_trusts_from_the_page(admin_client: Client) -> None:
    text = "n[1-2]"
    admin_client.post(
        ADD, FORM | {"text": text, "step": "add", "row": boxes(preview(admin_client, text))}
    )
    batch = HostBatch.objects.get()
    for host in batch.hosts.all():
        host_key_offered(host=host, line=public_line())
    page = admin_client.get(f"/host-batches/{batch.pk}/").content.decode()
    assert "clush -l root" in page
    assert "authorized_key" in page
    print_of_one = fingerprint(Host.objects.get(name="n1").presented_host_key)
    response = admin_client.post(
        f"/host-batches/{batch.pk}/keys/", {"text": f"n1: 256 {print_of_one}"}, follow=True
    )
    page = response.content.decode()
    assert "1 host key is pinned." in page
    assert "n2: The text lists no key for it." in page
    assert admin_client.post(f"/host-batches/{batch.pk}/keys/", {"text": ""}).status_code == 400


def test_the_export_and_the_filter_of_a_list(viewer_client: Client, admin: User) -> None:
    inside, _outside = create_host(name="inside", tags=["x"]), create_host(name="outside")
    batch = create_batch(admin, inside)
    text = viewer_client.get("/hosts/export/?tag=x").content.decode()
    header, line = text.splitlines()
    assert header == "name,address,port,user,jump,tags,key"
    assert line.startswith("inside,")
    page = viewer_client.get(f"/hosts/?batch={batch.pk}").content.decode()
    assert ">inside<" in page
    assert ">outside<" not in page


def test_authorities_are_listed_with_the_keys(admin_client: Client) -> None:
    authority = HostAuthority.objects.create(patterns="*.lab", public_key=public_line())
    page = admin_client.get("/ssh-keys/").content.decode()
    assert "*.lab" in page
    assert fingerprint(authority.public_key) in page
    admin_client.post(f"/host-authorities/{authority.pk}/delete/")
    assert not HostAuthority.objects.exists()


def test_scripts_preview_and_store(api: Api, admin: User) -> None:
    client, body = api(admin), {"text": "name,port\na,22\nb,0", "tags": ["rack2"]}
    shown = client.post(f"{BULK}?dry_run=true", body).json()
    assert (shown["batch"], shown["form"]) == (None, "csv")
    assert [(row["name"], row["state"], row["host"]) for row in shown["rows"]] == [
        ("a", "new", None),
        ("b", "refused", None),
    ]
    assert "is not a port" in shown["rows"][1]["faults"][0]
    refused = client.post(BULK, body)
    assert refused.status_code == 400
    assert "b: “0” is not a port" in refused.json()["error"]["fields"]["rows"][0]
    assert not Host.objects.exists()
    stored = client.post(BULK, body | {"names": ["a"]})
    assert stored.status_code == 201
    host = Host.objects.get()
    assert stored.json()["rows"][0]["host"] == host.pk
    listed = client.get(f"/api/v1/hosts/?batch={stored.json()['batch']}").json()
    assert [row["name"] for row in listed["results"]] == ["a"]


def test_scripts_trust_keys(api: Api, admin: User, operator: User) -> None:
    host = create_host(name="a", host_key="")
    host_key_offered(host=host, line=public_line())
    host.refresh_from_db()
    body = {"batch": create_batch(admin, host).pk, "text": f"a {host.presented_host_key}"}
    assert api(operator).post("/api/v1/hosts/accept-keys/", body).status_code == 403
    answer = api(admin).post("/api/v1/hosts/accept-keys/", body).json()
    assert answer == {"accepted": ["a"], "refused": []}


@pytest.mark.parametrize(
    ("query", "body"),
    [
        ("?dry_run=maybe", {"text": "a"}),
        ("?dryrun=true", {"text": "a"}),
        ("", {"text": ""}),
        ("", {}),
        ("", {"text": "a", "form": "toml"}),
        ("", {"text": "a", "colour": "red"}),
        ("", {"text": "{{", "form": "ansible_json"}),
        ("", {"text": "a", "names": ["b"]}),
        ("", {"text": "a", "jump": "nowhere"}),
    ],
)
def test_bad_requests_store_nothing(
    api: Api, admin: User, query: str, body: dict[str, object]
) -> None:
    assert api(admin).post(f"{BULK}{query}", body).status_code == 400
    assert not Host.objects.exists()


@pytest.mark.parametrize("role", ["viewer", "operator", "owner"])
def test_others_neither_preview_nor_store(
    api: Api, role: str, request: pytest.FixtureRequest
) -> None:
    client = api(request.getfixturevalue(role))
    assert client.post(f"{BULK}?dry_run=true", {"text": "a"}).status_code == 403
    assert client.post(BULK, {"text": "a"}).status_code == 403


def test_the_command_shows_and_does(
    admin: User, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "hosts"
    file.write_text("node[1-3]")
    call_command("add_hosts", str(file))
    assert "0 refused, 3 new, 0 changed, 0 same" in capsys.readouterr().out
    assert not Host.objects.exists()
    call_command("add_hosts", str(file), "--do", "--tags", "rack2")
    assert Host.objects.filter(tags=["rack2"]).count() == 3
    file.write_text("name,port\nx,0")
    with pytest.raises(SystemExit) as ended:
        call_command("add_hosts", str(file), "--do")
    assert ended.value.code == 2
    assert "is not a port" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        call_command("add_hosts", str(tmp_path / "none"))
    assert "No such file" in capsys.readouterr().err

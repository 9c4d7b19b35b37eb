"""/api/v1/imports/: send, look, name, store, discard."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.imports.models import Import, ImportFile
from apps.imports.tests.factories import create_import, team_files

Api = Callable[[User | None], APIClient]


@pytest.fixture
def client(api: Api, owner: User) -> APIClient:
    return api(owner)


def send(client: APIClient, **said: Any) -> Any:
    files = [SimpleUploadedFile(each.path, each.data) for each in team_files()]
    return client.post("/api/v1/imports/", {"file": files} | said, format="multipart")


def test_files_are_read_and_shown(client: APIClient) -> None:
    answer = send(client, name="spring", host_name="ceph-1", path=["a/1"])
    assert answer.status_code == 201
    data = answer.data
    assert (data["name"], data["state"], data["counts"]["parsed"]) == ("spring", "read", 6)
    first = data["files"][0]
    assert first["path"] == "a/1"
    assert first["points"][0]["measurements"][0]["operation"] == "write"
    assert data["files"][1]["becomes"]["tuning"] == "before"


def test_a_dry_run_keeps_nothing(client: APIClient) -> None:
    answer = send(client, dry_run="true")
    assert answer.status_code == 200
    assert answer.data["counts"]["parsed"] == 6
    assert not Import.objects.exists()


def test_names_then_store_gives_a_run(client: APIClient, owner: User) -> None:
    where = f"/api/v1/imports/{create_import(owner).pk}/"
    changed = {
        "target_name": "pool a",
        "files": [{"number": 1, "tuning_name": "x", "selected": True}],
    }
    answer = client.patch(where, changed)
    names = {"host": "unnamed-host", "target": "pool a", "tuning": "x"}
    assert answer.data["files"][0]["becomes"] == {
        **names, "repeats": [1], "points": [{**names, "repeat": 1}],
    }  # fmt: skip
    stored = client.post(f"{where}store/").data
    assert stored["state"] == "stored"
    run = client.get(f"/api/v1/runs/{stored['run']}/").data
    assert (run["state"], run["case_count"]) == ("succeeded", 6)
    assert client.post(f"{where}store/").status_code == 409
    assert client.patch(where, {"name": "late"}).status_code == 409


def test_discard(client: APIClient, owner: User) -> None:
    where = f"/api/v1/imports/{create_import(owner).pk}/"
    assert client.post(f"{where}discard/").data["state"] == "discarded"
    assert not ImportFile.objects.exists()


def test_all_files_come_in_pages_by_number(client: APIClient, owner: User) -> None:
    where = f"/api/v1/imports/{create_import(owner).pk}/files/?page_size=4"
    first = client.get(where).data
    second = client.get(first["next"]).data
    numbers = [row["number"] for row in first["results"] + second["results"]]
    assert numbers == [1, 2, 3, 4, 5, 6]


def test_wrong_names_are_refused_with_their_fields(client: APIClient, owner: User) -> None:
    assert send(client, host_name="-x").data["error"]["fields"].keys() == {"host_name"}
    assert send(client, no_such="x").data["error"]["fields"].keys() == {"no_such"}
    where = f"/api/v1/imports/{create_import(owner).pk}/"
    wrong = client.patch(where, {"files": [{"number": 99, "selected": True}]})
    assert wrong.status_code == 400
    assert "99" in wrong.data["error"]["message"]


def test_a_bomb_is_413_and_leaves_nothing(client: APIClient) -> None:
    bomb = SimpleUploadedFile("zeros.gz", gzip.compress(bytes(40 * 1024**2)))
    answer = send(client, file=bomb)
    assert answer.status_code == 413
    assert answer.data["error"]["kind"] == "too_large"
    assert not Import.objects.exists()


def test_json_is_not_what_files_come_in(client: APIClient) -> None:
    assert client.post("/api/v1/imports/", {"name": "x"}).status_code == 415


def test_a_viewer_reads_and_a_stranger_changes_nothing(
    api: Api, viewer: User, stranger: User, owner: User
) -> None:
    where = f"/api/v1/imports/{create_import(owner).pk}/"
    assert api(viewer).get(where).status_code == 200
    assert send(api(viewer)).status_code == 403
    assert api(stranger).patch(where, {"name": "mine"}).status_code == 403
    assert api(stranger).post(f"{where}store/").status_code == 403
    assert api(stranger).post(f"{where}discard/").status_code == 403

"""/api/v1/tunings/."""

from __future__ import annotations

from collections.abc import Callable

from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.tuning.models import TuningProfile

API = "/api/v1/tunings/"
Api = Callable[[User | None], APIClient]
NONE = {"kind": "queue", "name": "scheduler", "value": "none"}


def test_a_script_creates_changes_and_reads(api: Api, owner: User, viewer: User) -> None:
    answer = api(owner).post(API, {"name": "fast", "settings": [NONE], "settle_seconds": 2})
    assert answer.status_code == 201, answer.json()
    one = f"{API}{answer.json()['id']}/"
    answer = api(owner).patch(one, {"settings": [{"name": "nr_requests", "value": "64"}]})
    assert answer.status_code == 200, answer.json()
    read = api(viewer).get(one).json()
    assert (read["name"], read["text"], read["settle_seconds"]) == (
        "fast",
        "nr_requests = 64 requests",
        2,
    )
    assert read["owner"] == "owner"
    assert [row["name"] for row in api(viewer).get(API).json()["results"]] == ["fast"]


def test_a_bad_setting_is_a_sentence_at_its_name(api: Api, owner: User) -> None:
    answer = api(owner).post(API, {"name": "x", "settings": [{**NONE, "value": "warp"}]})
    assert answer.status_code == 400
    assert "settings.scheduler" in answer.json()["error"]["fields"]
    answer = api(owner).post(API, {"name": "x", "settngs": []})
    assert answer.json()["error"]["fields"] == {"settngs": ["There is no such field."]}
    assert not TuningProfile.objects.exists()


def test_duplicate_name_gives_one_error(api: Api, owner: User) -> None:
    api(owner).post(API, {"name": "fast"})
    answer = api(owner).post(API, {"name": "fast"})
    assert answer.status_code == 400
    assert len(answer.json()["error"]["fields"]["name"]) == 1


def test_a_viewer_and_a_stranger_change_nothing(
    api: Api, owner: User, viewer: User, stranger: User
) -> None:
    one = f"{API}{api(owner).post(API, {'name': 'fast'}).json()['id']}/"
    assert api(viewer).post(API, {"name": "x"}).status_code == 403
    assert api(stranger).patch(one, {"name": "x"}).status_code == 403
    assert api(stranger).post(f"{one}archive/", {}).status_code == 403
    assert api(viewer).post(f"{one}clone/", {}).status_code == 403
    assert api(None).get(one).status_code == 401
    copy = api(stranger).post(f"{one}clone/", {"name": "theirs"})
    assert (copy.status_code, copy.json()["owner"]) == (201, "stranger")


def test_an_archived_profile_leaves_the_list(api: Api, owner: User) -> None:
    one = f"{API}{api(owner).post(API, {'name': 'fast'}).json()['id']}/"
    api(owner).post(f"{one}archive/", {})
    assert api(owner).get(API).json()["results"] == []
    assert len(api(owner).get(f"{API}?archived=true").json()["results"]) == 1
    restored = api(owner).post(f"{one}archive/", {"archived": False})
    assert restored.json()["archived_at"] is None

"""Requests that break careless servers get an answer in the one shape of errors, never a defect."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.conftest import session_of

Api = Callable[[User | None], APIClient]
HUGE = 10**40
LISTS = (
    *("hosts", "disks", "directories", "tunings", "plans", "runs", "cases"),
    *("measurements", "series", "tokens"),
)
# The cursor says position NUL: cD0lMDA= is p=%00.
QUERIES = (
    *("page_size=0", "page_size=501", "page_size=null", "page_size=%00"),
    *("cursor=cD0lMDA%3D", "surprise=1"),
)
BODIES = {
    "nothing": b"",
    "half": b'{"name": ',
    "a list": b"[]",
    "a text": b'"name"',
    "null": b"null",
    "no number": b'{"name": NaN}',
    "not UTF-8": b'{"name": "\xff"}',
    "NUL": b'{"name": "a\\u0000b"}',
    "half a character": b'{"name": "\\ud800"}',
    "very deep": b"[" * 50_000 + b"]" * 50_000,
    "deep in a field": b'{"name": ' + b"[" * 3_000 + b"]" * 3_000 + b"}",
    "a long number": b'{"name": ' + b"9" * 6_000 + b"}",
    "unknown field": b'{"surprise": 1}',
}
ADDRESSES = ("hosts", "directories", "tunings", "plans", "runs", "tokens")


@pytest.mark.parametrize("noun", LISTS)
def test_a_wrong_query_is_400(noun: str, api: Api, admin: User) -> None:
    for query in QUERIES:
        answer = api(admin).get(f"/api/v1/{noun}/?{query}")
        assert answer.status_code == 400, query
        assert answer.json()["error"]["kind"] == "invalid"


@pytest.mark.parametrize("query", [
    "runs/?plan=1e400", f"runs/?plan={HUGE}", "runs/?name=%00", "runs/?queued_after=99999-01-01",
    "cases/?run=%00", "cases/?tool=%00", "cases/?workload=%00", "hosts/?q=%00", "hosts/?tag=%00",
    "plans/?name=%00", "tunings/?name=%00", "series/?metric=%00", "series/?attempt=1",
    "disks/?model=%00", "disks/?identity=%00", "compare/", "compare/?run=%00",
    "measurements/?least_iops=x", "measurements/?operation=%00",
    "disks/?rotational=null", "disks/?enrolled=", "pools/?is_ephemeral=null", "hosts/?enabled=yes",
    "series/?attempt=", "disks/?host=", "hosts/?health=", "plans/?archived=2",
    "tunings/?archived=null", "measurements/?valid=null",
])  # fmt: skip
def test_a_wrong_filter_is_400(query: str, api: Api, admin: User) -> None:
    assert api(admin).get(f"/api/v1/{query}").status_code == 400


@pytest.mark.parametrize("query", [
    f"disks/?host={HUGE}", "disks/?host=1e400", "disks/?host=-1", f"directories/?host={HUGE}",
    "measurements/?least_iops=1e400", f"compare/?run={HUGE}",
])  # fmt: skip
def test_a_number_nobody_has_is_no_defect(query: str, api: Api, admin: User) -> None:
    assert api(admin).get(f"/api/v1/{query}").status_code in (200, 400)


@pytest.mark.parametrize("noun", LISTS)
def test_an_address_nobody_has_is_404(noun: str, api: Api, admin: User) -> None:
    for name in (str(HUGE), "-1", "1.5", "0", "abc", "%00", "1/../2"):
        answer = api(admin).get(f"/api/v1/{noun}/{name}/")
        assert answer.status_code == 404, name
        assert answer.json()["error"]["kind"] == "not_found"


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_a_wrong_body_is_400(body: bytes, admin: User) -> None:
    client = APIClient()
    client.cookies[settings.SESSION_COOKIE_NAME] = session_of(admin)
    for noun in ADDRESSES:
        answer = client.post(f"/api/v1/{noun}/", data=body, content_type="application/json")
        assert answer.status_code == 400, noun


@pytest.mark.parametrize(("address", "said", "field"), [
    ("tunings/ceph-conf", {"name": "x", "text": 0}, "text"),
    ("tunings", {"name": 7}, "name"),
    ("tunings", {"name": "x", "settle_seconds": "3"}, "settle_seconds"),
    ("tunings", {"name": "x", "settle_seconds": True}, "settle_seconds"),
    ("tokens", {"name": "x", "read_only": "yes"}, "read_only"),
    ("tokens", {"name": "x", "read_only": 1}, "read_only"),
    ("tokens", {"name": "x", "days": "7"}, "days"),
    ("hosts", {"name": "x", "address": "192.0.2.1", "port": "22"}, "port"),
])  # fmt: skip
def test_a_value_of_another_type_is_400(
    address: str, said: dict[str, object], field: str, api: Api, admin: User
) -> None:
    answer = api(admin).post(f"/api/v1/{address}/", said)
    assert answer.status_code == 400
    assert field in answer.json()["error"]["fields"]


@pytest.mark.parametrize("noun", ADDRESSES)
def test_forms_are_not_taken(noun: str, api: Api, admin: User) -> None:
    kind = "application/x-www-form-urlencoded"
    answer = api(admin).post(f"/api/v1/{noun}/", data="name=x", content_type=kind)
    assert answer.status_code == 415


def test_a_body_of_many_megabytes_is_413(admin: User) -> None:
    body = b'{"name": "' + b"x" * (6 * 1024 * 1024) + b'"}'
    client = APIClient()
    client.force_login(admin)
    answer = client.post("/api/v1/plans/", data=body, content_type="application/json")
    assert answer.status_code == 413


def test_only_json_is_answered(api: Api, admin: User) -> None:
    answer = api(admin).get("/api/v1/hosts/", headers={"Accept": "text/html"})
    assert answer.status_code == 406


@pytest.mark.parametrize("method", ["put", "delete", "patch"])
def test_methods_that_are_not_there_are_405(method: str, api: Api, admin: User) -> None:
    answer: Any = getattr(api(admin), method)("/api/v1/hosts/", {})
    assert answer.status_code == 405
    assert answer.json()["error"]["kind"] == "method_not_allowed"


@pytest.mark.parametrize("name", ["", "%00", "..%2F..%2Fetc%2Fpasswd", "x" * 5000])
def test_a_raw_file_nobody_has_is_404(name: str, api: Api, admin: User) -> None:
    address = f"/api/v1/cases/1/attempts/{HUGE}/artifacts/{name}/"
    assert api(admin).get(address).status_code == 404


@pytest.mark.parametrize("secret", ["", "x", "ü" * 8, "x" * 10_000, "a\0b", "a b"])
def test_a_wrong_token_is_401(secret: str, api: Api, db: None) -> None:
    header = f"Token {secret}".encode().decode("latin-1")
    answer = api(None).get("/api/v1/hosts/", headers={"Authorization": header})
    assert answer.status_code == 401
    assert answer.json()["error"]["kind"] == "not_authenticated"

"""Pages answer GET and POST alone; the API decides for itself."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse

from apps.common.web.pages import page_above

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("method", ["put", "patch", "delete", "trace"])
def test_page_with_another_method_is_405(owner_client: Client, method: str) -> None:
    answer = getattr(owner_client, method)("/plans/new/")
    assert answer.status_code == 405
    assert "POST" in answer["Allow"]


def test_api_answers_its_own_methods(owner_client: Client) -> None:
    assert owner_client.delete("/api/v1/plans/999999/").status_code != 405


@pytest.mark.parametrize(
    ("path", "back"),
    [
        ("/runs/5/cancel/", "/runs/5/"),
        ("/plans/7/launch/", "/plans/7/"),
        ("/disks/3/enrol/", "/disks/3/"),
        ("/account/second-factor/recovery-codes/", "/account/second-factor/"),
    ],
)
def test_form_address_opened_as_page_leads_to_the_object(
    owner_client: Client, path: str, back: str
) -> None:
    answer = owner_client.get(path)
    assert (answer.status_code, answer["Location"]) == (302, back)
    assert len(list(get_messages(answer.wsgi_request))) == 1


def test_form_address_of_a_script_stays_empty(owner_client: Client) -> None:
    answer = owner_client.get("/runs/5/cancel/", headers={"Accept": "application/json"})
    assert (answer.status_code, answer.content) == (405, b"")
    answer = owner_client.get("/runs/5/cancel/", headers={"HX-Request": "true"})
    assert (answer.status_code, answer.content) == (405, b"")


@pytest.mark.parametrize(
    ("path", "above"),
    [("/runs/5/cancel/", "/runs/5/"), ("/no/such/thing/", "/"), ("/", "/"), ("/runs", "/")],
)
def test_page_above_is_the_nearest_known_address(path: str, above: str) -> None:
    assert page_above(path) == above


def expired(user: Any, path: str, referrer: str = "") -> str:
    """The page in response to a form without a valid token; `user`: a user or None."""
    client = Client(enforce_csrf_checks=True)
    if user:
        client.force_login(user)
    answer = client.post(path, headers={"Referer": referrer})
    assert answer.status_code == 403
    return answer.content.decode()


def test_expired_form_of_a_user_links_its_page(owner: Any) -> None:
    page = expired(owner, "/runs/5/cancel/", "http://testserver/plans/new/?tool=fio&amp=1")
    assert 'class="btn btn-primary" href="/plans/new/?tool=fio&amp;amp=1"' in page


@pytest.mark.parametrize("referrer", ["", "https://elsewhere.example/a/", "//elsewhere.example/"])
def test_expired_form_without_our_referrer_links_the_object(owner: Any, referrer: str) -> None:
    page = expired(owner, "/runs/5/cancel/", referrer)
    assert 'class="btn btn-primary" href="/runs/5/"' in page
    assert "elsewhere" not in page


def test_expired_form_of_an_ended_session_links_the_login() -> None:
    page = expired(None, "/runs/5/cancel/", "http://testserver/runs/5/")
    login = reverse("login")
    assert f'class="btn btn-primary" href="{login}?next=%2Fruns%2F5%2F"' in page


def test_expired_login_links_itself() -> None:
    login = reverse("login")
    page = expired(None, login, f"http://testserver{login}?next=/runs/5/")
    assert f'class="btn btn-primary" href="{login}?next=/runs/5/"' in page


@pytest.mark.parametrize(
    "path", ["//elsewhere.example/", "/\\elsewhere.example/", "///elsewhere.example/"]
)
def test_expired_form_never_links_another_site(owner: Any, path: str) -> None:
    page = expired(owner, "/runs/5/cancel/", f"http://testserver{path}")
    assert 'class="btn btn-primary" href="/elsewhere.example/"' in page

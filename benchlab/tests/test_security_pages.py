"""Every page: a policy, nothing inline, forms that need a token, names that stay text."""

from __future__ import annotations

from collections import Counter

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from apps.accounts.models import Team, User
from apps.inventory.models import Directory, Disk, Host
from apps.inventory.tests.factories import create_disk_model
from apps.plans.models import TestPlan
from apps.runs.models import Case, Run, RunTuning
from apps.tuning.models import TuningProfile
from benchlab.tests.access import PAGES
from benchlab.tests.addresses import address
from benchlab.tests.api_world import World
from benchlab.tests.markup import Page

GETS = [name for name, (get, _post) in PAGES.items() if get]
SIGNED = ("provider_logout",)
"""Called by a server with a signed token, without a cookie."""
POSTS = [name for name, (_get, post) in PAGES.items() if post and name not in SIGNED]
SHOWS_NAMES = [
    *("home", "host_list", "host_detail", "host_edit", "disk_detail", "tuning_list"),
    *("tuning_detail", "tuning_edit", "plan_list", "plan_detail", "plan_edit", "run_list"),
    *("run_queue", "run_detail", "case_detail", "compare", "user_list", "user_edit", "team_list"),
]
PAYLOADS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)>",
    "\"><script>alert(1)</script>",
    "'><script>alert(1)</script>",
    "\" onmouseover=\"alert(1)",
    "' onfocus='alert(1)' autofocus='",
    "</script><script>alert(1)</script>",
    "</textarea><script>alert(1)</script>",
    "</title><script>alert(1)</script>",
    "</style><script>alert(1)</script>",
    "--><script>alert(1)</script>",
    "]]><script>alert(1)</script>",
    "<iframe srcdoc='<b>x</b>'>",
    "<a href=\"javascript:alert(1)\">x</a>",
    "{{ 7|add:7 }}{% csrf_token %}",
    "<math><mtext><style>x</style></mtext></math>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "\\u003cscript\\u003ealert(1)//<script>",
    "<ScRiPt/x>alert(1)</sCrIpT>",
]  # fmt: skip


ROOM = 59
"""Characters of the shortest column of a name, less one for an initial."""


@pytest.fixture
def owner(world: World) -> User:
    return world.owner


# A report by a link is one file with everything in it, in a sandbox: test_shares.py has its policy.
@pytest.mark.parametrize("name", [name for name in GETS if name != "shared"])
def test_a_page_has_a_policy_and_nothing_inline(
    name: str, world: World, admin_client: Client
) -> None:
    response = admin_client.get(address(name, world))
    policy = response["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["X-Frame-Options"] == "DENY"
    expected = "private, no-cache" if name == "run_detail" else "no-store"
    assert expected in response["Cache-Control"]
    if response["Content-Type"].startswith("text/html"):
        assert Page(response.content.decode()).inline == []


def test_inline_code_would_be_found() -> None:
    found = Page("<p onclick=x><script>1</script><style></style><a href=' JavaScript:1'>").inline
    assert len(found) == 4
    ours = '<script type="application/json">1</script><script src="/a.js"></script>'
    assert Page(ours).inline == []


@pytest.mark.parametrize("name", POSTS)
def test_a_form_without_its_token_changes_nothing(name: str, world: World, admin: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(admin)
    response = client.post(address(name, world))
    assert response.status_code == 403
    assert b"csrf" in response.content.lower() or b"form" in response.content.lower()


def test_a_session_alone_does_not_write_through_the_api(world: World, admin: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(admin)
    response = client.post(f"/api/v1/runs/{world.run.pk}/cancel/", content_type="application/json")
    assert response.status_code == 403
    assert response.json()["error"]["kind"] == "not_allowed"


@pytest.mark.parametrize("name", SHOWS_NAMES)
def test_names_and_notes_stay_text(name: str, world: World, admin_client: Client) -> None:
    where = address(name, world)
    rename(world, "plain")
    plain = Page(admin_client.get(where).content.decode())
    for payload in together(PAYLOADS):
        rename(world, payload)
        response = admin_client.get(where)
        page = Page(response.content.decode())
        assert response.status_code == 200
        assert page.inline == [], payload
        assert Counter(page.tags) == Counter(plain.tags), payload


def together(payloads: list[str]) -> list[str]:
    """As many payloads in one name as it has room for, the longest first: each of them would be
    found.
    """
    names: list[str] = []
    for payload in sorted(payloads, key=len, reverse=True):
        free = (place for place, name in enumerate(names) if len(name) + len(payload) <= ROOM)
        if (place := next(free, None)) is None:
            names.append(payload)
        else:
            names[place] += payload
    return names


def test_every_payload_is_in_a_name() -> None:
    names = together(PAYLOADS)
    assert sum(map(len, names)) == sum(map(len, PAYLOADS))
    assert all(any(payload in name for name in names) for payload in PAYLOADS)
    assert max(map(len, names)) <= ROOM


def rename(world: World, payload: str) -> None:
    """Past every check of the forms: what was stored before such a check is shown as well."""
    Host.objects.filter(pk=world.host.pk).update(name=payload, health_text=payload, tags=[payload])
    Disk.objects.filter(host=world.host).update(model=create_disk_model(payload), serial=payload)
    Directory.objects.filter(pk=world.directory.pk).update(path=payload)
    TuningProfile.objects.filter(pk=world.tuning.pk).update(name=payload, description=payload)
    TestPlan.objects.filter(pk=world.plan.pk).update(name=payload, description=payload)
    Run.objects.update(name=payload, note=payload, reason=payload)
    Case.objects.update(step_name=payload, reason=payload)
    RunTuning.objects.filter(name__startswith="A").update(name=f"A{payload}")
    Team.objects.filter(pk=world.team.pk).update(name=payload)
    User.objects.filter(pk=world.person.pk).update(username=payload)


def test_cookies_of_a_login_are_out_of_reach_of_scripts(
    client: Client, viewer: User, settings: Settings
) -> None:
    settings.SESSION_COOKIE_SECURE = True
    client.post("/login/", {"username": "viewer", "password": "a long password"})
    session = client.cookies["sessionid"]
    assert session["httponly"]
    assert session["secure"]
    assert session["samesite"] == "Lax"

"""A secret in a form is not in its answer, whatever was wrong in it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django import forms
from django.test import Client
from django.urls import get_resolver

CANARY = "canary-of-a-secret"
SECRET = re.compile(r"secret|private|password|passphrase", re.I)


def project_forms(kind: type[forms.BaseForm] = forms.BaseForm) -> Iterator[type[forms.BaseForm]]:
    """Every form that a page of benchlab uses, Django's own ones for passwords too."""
    assert get_resolver().url_patterns  # all pages, and so all forms, are imported
    for found in kind.__subclasses__():
        if found.__module__.startswith(("apps.", "benchlab.", "django.contrib.auth.forms")):
            yield found
        yield from project_forms(found)


def secret_fields() -> dict[str, forms.Field]:
    return {
        f"{form.__module__}.{form.__name__}.{name}": field
        for form in project_forms()
        if ".tests." not in form.__module__
        for name, field in getattr(form, "base_fields", {}).items()
        if SECRET.search(name) and isinstance(field, forms.CharField)
    }


def test_no_field_of_a_secret_shows_what_was_typed() -> None:
    fields = secret_fields()
    names = " ".join(fields)
    assert "HostForm.private_key" in names
    assert "HostForm.passphrase" in names
    assert "UserForm.new_password" in names
    shown = [name for name, one in fields.items() if CANARY in one.widget.render("x", CANARY)]
    assert shown == []


@pytest.mark.parametrize(
    "wrong", [{"name": "no/name"}, {"tag_words": "!"}, {"port": "x"}, {"passphrase": "p" * 2000}]
)
def test_a_pasted_key_is_not_in_the_answer_of_a_wrong_form(
    wrong: dict[str, str], admin_client: Client
) -> None:
    said = {
        "name": "stor1", "kind": "ssh", "address": "192.0.2.1", "port": "22", "user": "root",
        "privilege_mode": "root", "key": "paste", "private_key": CANARY, "passphrase": CANARY,
        **wrong,
    }  # fmt: skip
    page = admin_client.post("/hosts/add/", said)
    assert page.status_code == 200
    assert CANARY not in page.content.decode()


def test_a_key_that_is_none_is_not_in_the_refusal(admin_client: Client) -> None:
    said = {
        "name": "stor1", "kind": "ssh", "address": "192.0.2.1", "port": "22", "user": "root",
        "privilege_mode": "root", "key": "paste", "private_key": CANARY,
    }  # fmt: skip
    page = admin_client.post("/hosts/add/", said)
    assert "no private key that benchlab can use" in page.content.decode()
    assert CANARY not in page.content.decode()

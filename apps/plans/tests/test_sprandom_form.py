"""The form of a plan offers one pass of preconditioning."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

NAME = "preconditioning_sprandom_over_provisioning"


@pytest.mark.django_db
def test_the_form_has_the_field_as_a_share(owner_client: Client) -> None:
    page = owner_client.get(reverse("plan_new")).content.decode()
    assert NAME in page

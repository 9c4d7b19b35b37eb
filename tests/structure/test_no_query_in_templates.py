"""Templates run no queries: tests/harness/template_queries.py refuses them in every test."""

from __future__ import annotations

import pytest
from django.template import Context, Template

from apps.accounts.models import User
from tests.harness.template_queries import QueryInTemplate

pytestmark = pytest.mark.django_db


def test_template_with_a_lazy_queryset_is_refused() -> None:
    template = Template("{% for user in users %}{{ user }}{% endfor %}")

    with pytest.raises(QueryInTemplate, match="accounts_user"):
        template.render(Context({"users": User.objects.all()}))


def test_template_with_a_lazy_queryset_in_a_condition_is_refused() -> None:
    template = Template("{% if users or other %}{{ other }}{% endif %}")

    with pytest.raises(QueryInTemplate, match="accounts_user"):
        template.render(Context({"users": User.objects.all(), "other": "text"}))


def test_template_with_fetched_rows_is_rendered() -> None:
    template = Template("{% for user in users %}{{ user }}{% endfor %}")

    assert template.render(Context({"users": list(User.objects.all())})) == ""

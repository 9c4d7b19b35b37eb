"""The form above an unfiltered list is made once for everybody who would see the same."""

from __future__ import annotations

from typing import Any, ClassVar

import django_filters as filters
import pytest
from django.contrib.sessions.models import Session
from django.template.loader import render_to_string
from django.utils import translation

from apps.common.filter_bars import empty_bar
from apps.common.forms import SteadyForm
from apps.common.preferences import Preferences, preferred
from apps.common.templatetags import benchlab_kept


class Unsteady(filters.FilterSet):  # type: ignore[misc] # django-filter ships no types
    name = filters.CharFilter(label="Name")

    class Meta:
        model = Session
        fields: ClassVar[list[str]] = []


class Steady(Unsteady):
    class Meta(Unsteady.Meta):
        form = SteadyForm


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The templates that were rendered, in turn."""
    names: list[str] = []

    def render(name: str, shown: dict[str, Any]) -> str:
        names.append(name)
        return render_to_string(name, shown)

    monkeypatch.setattr(benchlab_kept, "render_to_string", render)
    benchlab_kept._forget()
    return names


def test_it_is_what_the_template_makes_of_no_answer(rendered: list[str]) -> None:
    whole = render_to_string("components/filter_bar.html", {"filter": Steady()})
    assert [empty_bar(Steady).strip(), empty_bar(Steady).strip()] == [whole.strip()] * 2
    assert 'name="name"' in whole
    assert len(rendered) == 1


def test_readers_who_would_see_something_else_have_their_own(rendered: list[str]) -> None:
    empty_bar(Steady)
    with translation.override("de"):
        empty_bar(Steady)
    with preferred(Preferences(zone="Europe/Berlin")):
        empty_bar(Steady)
    assert len(rendered) == 3


def test_a_form_whose_choices_may_be_rows_is_refused() -> None:
    with pytest.raises(TypeError, match="Unsteady is not steady"):
        empty_bar(Unsteady)

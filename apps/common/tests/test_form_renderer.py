"""Selects that are written without templates are what Django's templates make of them."""

from __future__ import annotations

from typing import Any

import pytest
from django import forms
from django.forms.renderers import TemplatesSetting
from django.utils.safestring import mark_safe
from django.utils.translation import gettext_lazy

from apps.common.web.form_renderer import WrittenSelects

CHOICES: list[tuple[Any, Any]] = [
    ("", "–"),
    (1, "one & <two>"),
    ("a\"'b", mark_safe("<b>bold</b>")),  # HTML on purpose
    ("lazy", gettext_lazy("Runs")),
    (7_654_321, 7_654_321),
    (1.5, 1.5),
    (None, "none"),
    ("Group <x>", [("g1", "first"), ("g2", "second")]),
    ("Empty", []),
]


@pytest.mark.parametrize("widget", [forms.Select, forms.SelectMultiple])
@pytest.mark.parametrize("value", [None, "", 1, "1", ["a\"'b", "g2"], "lazy", True])
@pytest.mark.parametrize(
    "attrs",
    [
        {},
        {"id": "x", "required": True, "disabled": False, "data-a": 'a"<', "data-n": 5000},
        {"class": mark_safe("a b"), "data-none": None},  # safe already
    ],
)
def test_the_same_html(widget: type[forms.Select], value: Any, attrs: dict[str, Any]) -> None:
    made = widget(choices=CHOICES)
    html = [
        made.render("na<me", value, attrs, renderer)
        for renderer in (WrittenSelects(), TemplatesSetting())
    ]
    assert html[0] == html[1]
    assert html[0].count("<option") > 2


def test_widgets_with_options_of_their_own_keep_their_templates() -> None:
    made = forms.RadioSelect(choices=CHOICES)
    html = [made.render("name", 1, {}, one()) for one in (WrittenSelects, TemplatesSetting)]
    assert html[0] == html[1]

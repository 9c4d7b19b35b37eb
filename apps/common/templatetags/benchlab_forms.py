"""Form widgets with the classes and states the style sheet knows: `{% load benchlab_forms %}`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms, template
from django.forms.boundfield import BoundField
from django.utils.safestring import SafeString

register = template.Library()


def widget_class(widget: forms.Widget) -> str:
    """The CSS class a widget needs; empty where its parts are styled one by one."""
    if isinstance(widget, forms.CheckboxInput):
        return "form-check-input"
    if isinstance(widget, forms.RadioSelect | forms.CheckboxSelectMultiple):
        return ""
    if isinstance(widget, forms.Select):
        return "form-select"
    return "form-control"


@register.simple_tag
def field_widget(field: BoundField, small: bool = False) -> SafeString:
    """The field's widget, with its own classes kept and an invalid field marked."""
    names = [str(field.field.widget.attrs.get("class", "")), widget_class(field.field.widget)]
    if small and names[-1].startswith("form-") and names[-1] != "form-check-input":
        names.append(f"{names[-1]}-sm")
    if field.errors:
        names.append("is-invalid")
    classes = " ".join(name for name in names if name)
    return field.as_widget(attrs={"class": classes})


@register.filter
def is_checkbox(field: BoundField) -> bool:
    """A single check box: its label stands beside it, not above."""
    return isinstance(field.field.widget, forms.CheckboxInput)


@register.filter
def is_group(field: BoundField) -> bool:
    """Several check boxes or radio buttons: each has its own label."""
    return isinstance(field.field.widget, forms.RadioSelect | forms.CheckboxSelectMultiple)


@register.filter
def field_groups(form: forms.BaseForm) -> Iterator[tuple[Any, str, list[BoundField]]]:
    """(title, help, fields) of each group in the form's `groups`, or one untitled group.

    `groups` is a list of (title, help, field names). Visible fields that no group names come last,
    so that a forgotten field is shown in the wrong place instead of not at all.
    """
    left = {field.name: field for field in form.visible_fields()}
    for title, words, names in getattr(form, "groups", ()):
        fields = [left.pop(name) for name in names if name in left]
        if fields:
            yield title, words, fields
    if left:
        yield "", "", list(left.values())

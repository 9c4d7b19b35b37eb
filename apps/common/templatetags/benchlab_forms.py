"""Form widgets with CSS classes and states: `{% load benchlab_forms %}`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms, template
from django.forms.boundfield import BoundField
from django.utils.safestring import SafeString

register = template.Library()


def widget_class(widget: forms.Widget) -> str:
    """Return the CSS class of a widget; empty if its parts are styled separately."""
    if isinstance(widget, forms.CheckboxInput):
        return "form-check-input"
    if isinstance(widget, forms.RadioSelect | forms.CheckboxSelectMultiple):
        return ""
    if isinstance(widget, forms.Select):
        return "form-select"
    return "form-control"


@register.simple_tag
def field_widget(field: BoundField, small: bool = False) -> SafeString:
    """Render the field's widget with its classes, and mark an invalid field."""
    names = [str(field.field.widget.attrs.get("class", "")), widget_class(field.field.widget)]
    if small and names[-1].startswith("form-") and names[-1] != "form-check-input":
        names.append(f"{names[-1]}-sm")
    if field.errors:
        names.append("is-invalid")
    classes = " ".join(name for name in names if name)
    return field.as_widget(attrs={"class": classes})


@register.filter
def is_checkbox(field: BoundField) -> bool:
    """Return True for a single check box, whose label follows it."""
    return isinstance(field.field.widget, forms.CheckboxInput)


@register.filter
def is_group(field: BoundField) -> bool:
    """Return True for several check boxes or radio buttons, each with a label."""
    return isinstance(field.field.widget, forms.RadioSelect | forms.CheckboxSelectMultiple)


@register.filter
def field_groups(form: forms.BaseForm) -> Iterator[tuple[Any, str, list[BoundField]]]:
    """Yield (title, help, fields) of each group of the form, or one untitled group.

    `groups` is a list of (title, help, field names). Visible fields without a group come last.
    """
    left = {field.name: field for field in form.visible_fields()}
    for title, words, names in getattr(form, "groups", ()):
        fields = [left.pop(name) for name in names if name in left]
        if fields:
            yield title, words, fields
    if left:
        yield "", "", list(left.values())

"""Form fields of a stored struct. The fields of a group are named `<group>_<name>`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from django import forms
from django.utils.translation import gettext_lazy as _

from apps.common.schemas.struct_fields import Struct, StructField, struct_fields


def form_fields(struct: Struct, prefix: str = "") -> dict[str, forms.Field]:
    """Return a form field for each member of a struct, by its name in the form."""
    fields: dict[str, forms.Field] = {}
    for each in struct_fields(struct):
        if each.group is not None:
            fields |= form_fields(each.group, f"{prefix}{each.name}_")
        else:
            fields[f"{prefix}{each.name}"] = _form_field(each)
    return fields


def form_initial(struct: Struct, value: object, prefix: str = "") -> dict[str, object]:
    """Return the initial values that show a struct; a group that is None is empty."""
    values: dict[str, object] = {}
    for each in struct_fields(struct):
        member = getattr(value, each.name, None)
        if each.group is not None:
            values |= form_initial(each.group, member, f"{prefix}{each.name}_")
        else:
            values[f"{prefix}{each.name}"] = member
    return values


def form_values(struct: Struct, data: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Return the members that cleaned data have; an empty field leaves the default.

    A group is None if a member without a default is empty.
    """
    values: dict[str, Any] = {}
    for each in struct_fields(struct):
        name = f"{prefix}{each.name}"
        if each.group is not None:
            values[each.name] = _group(each.group, data, f"{name}_")
        elif data.get(name) not in (None, ""):
            values[each.name] = data[name]
    return values


def _group(group: Struct, data: Mapping[str, Any], prefix: str) -> msgspec.Struct | None:
    values = form_values(group, data, prefix)
    if any(each.required and each.name not in values for each in struct_fields(group)):
        return None
    return group(**values)


def _form_field(each: StructField) -> forms.Field:
    field = each.field
    texts: dict[str, Any] = {
        "label": _(field.label),
        "help_text": _(field.help) if field.help else "",
        "initial": each.default,
        "required": not (field.optional or field.kind == "flag"),
    }
    limits: dict[str, Any] = {"min_value": each.minimum, "max_value": each.maximum}
    if field.kind == "flag":
        return forms.BooleanField(**texts)
    if field.kind == "choice":
        return forms.ChoiceField(choices=each.choices, **texts)
    if field.kind == "int":
        return forms.IntegerField(**limits, **texts)
    if field.kind == "number":
        return forms.FloatField(**limits, **texts)
    return forms.CharField(max_length=each.max_length, **texts)

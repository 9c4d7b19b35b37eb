"""Members of a stored struct that users set, for forms, serializers and pages.

Such a member has a type with its bounds, a default, and a `Field` with its texts: `repeats:
Annotated[int, Meta(ge=1, le=100), Field("int", "Repeats")] = 6`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec
from django.utils.translation import gettext as _
from msgspec import inspect

from apps.tools.fields import Field

Struct = type[msgspec.Struct]


@dataclass(frozen=True)
class StructField:
    """Member of a struct. `group`: its struct, if any; `optional`: it may be None."""

    name: str
    field: Field
    type: Any
    default: object
    required: bool
    optional: bool
    group: Struct | None
    minimum: float | None
    maximum: float | None
    max_length: int | None

    @property
    def choices(self) -> list[tuple[str, str]]:
        """Return values with their labels."""
        labels = [_(label) if label else label for label in self.field.labels]
        return list(zip(self.field.choices, labels or self.field.choices, strict=True))


def struct_fields(struct: Struct) -> Iterator[StructField]:
    """Yield the members of a struct that have a `Field`, in their order."""
    for info in msgspec.structs.fields(struct):
        fields = [each for each in _metadata(info.type) if isinstance(each, Field)]
        if fields:
            yield _struct_field(info, fields[0])


def struct_errors(value: msgspec.Struct, prefix: str = "") -> Iterator[tuple[str, str]]:
    """Yield the dotted name of each member outside its type or bounds, with a sentence."""
    for each in struct_fields(type(value)):
        name, member = f"{prefix}{each.name}", getattr(value, each.name)
        if isinstance(member, msgspec.Struct):
            yield from struct_errors(member, f"{name}.")
            continue
        try:
            msgspec.convert(member, each.type)
        except msgspec.ValidationError:
            yield name, _expected(each)


def _metadata(annotation: Any) -> tuple[object, ...]:
    return getattr(annotation, "__metadata__", ())


def _struct_field(info: msgspec.structs.FieldInfo, field: Field) -> StructField:
    union = inspect.type_info(info.type)
    types = union.types if isinstance(union, inspect.UnionType) else (union,)
    kind = next(each for each in types if not isinstance(each, inspect.NoneType))
    return StructField(
        name=info.name,
        field=field,
        type=info.type,
        default=None if info.required else info.default,
        required=info.required,
        optional=len(types) > 1,
        group=kind.cls if isinstance(kind, inspect.StructType) else None,
        minimum=getattr(kind, "ge", None),
        maximum=getattr(kind, "le", None),
        max_length=getattr(kind, "max_length", None),
    )


def _expected(each: StructField) -> str:
    values: dict[str, object] = {"field": _(each.field.label)}
    if each.field.choices:
        text = _("%(field)s: choose one of %(values)s.")
        values["values"] = ", ".join(filter(None, each.field.choices))
    elif each.minimum is not None and each.maximum is not None:
        text = _("%(field)s: give a number from %(minimum)s to %(maximum)s.")
        values |= {"minimum": f"{each.minimum:g}", "maximum": f"{each.maximum:g}"}
    elif each.max_length is not None:
        text = _("%(field)s: write at most %(count)d characters.")
        values["count"] = each.max_length
    else:
        text = _("%(field)s: this value is not possible.")
    return text % values

"""The order of the fields in a plan's form. Rarely used fields are collapsed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django import forms
from django.forms import BoundField
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from apps.common.forms.folded import Folded
from apps.common.forms.schema_form import form_fields
from apps.common.schemas.struct_fields import struct_fields
from apps.plans.schemas.plan import PLAN_SPEC

Group = tuple[str, str | Promise, str | Promise, tuple[str, ...]]
"""(key, title, help, names of fields)."""

FIRST = ("name", "targets")
SECOND = ("tunings", "baseline", "repeats", "order")
NETWORK: Group = ("network", _("Tests of the network"), "", ("mesh", "pairs"))
MORE = _("Description, team and further options")


def spec_groups() -> list[Group]:
    """Return the groups of a plan's fields, each with the fields that stand with it."""
    fields = list(struct_fields(PLAN_SPEC.kind))
    groups: list[Group] = []
    for each in fields:
        if each.group is not None:
            texts = (_(each.field.label), _(each.field.help) if each.field.help else "")
            joined = [field.name for field in fields if field.field.group == each.name]
            groups.append((each.name, *texts, (*form_fields(each.group, f"{each.name}_"), *joined)))
    return groups


@dataclass(frozen=True)
class FormLayout:
    """The fields of a plan's form in their order."""

    form: forms.Form

    @property
    def first(self) -> list[BoundField]:
        return [self.form[name] for name in FIRST]

    @property
    def second(self) -> list[BoundField]:
        return [self.form[name] for name in SECOND]

    @property
    def network(self) -> Folded:
        return self._folded(NETWORK)

    @property
    def folded(self) -> Iterator[Folded]:
        """Yield the groups; the last takes every field that has no place."""
        groups = spec_groups()
        placed = {*FIRST, *SECOND, *NETWORK[3], *(name for group in groups for name in group[3])}
        left = tuple(field.name for field in self.form.visible_fields() if field.name not in placed)
        for group in (*groups, ("more", MORE, "", left)):
            yield self._folded(group)

    def _folded(self, group: Group) -> Folded:
        key, title, words, names = group
        return Folded(key, title, words, [self.form[name] for name in names])

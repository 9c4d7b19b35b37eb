"""Form fields of repeated query names: rows by number or name, texts, parameter ranges."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import django_filters as filters
from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Model
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django_filters.fields import ModelMultipleChoiceField

from apps.analysis.queries.ranges import ParameterRange
from apps.analysis.queries.selection import is_number
from apps.common.forms import Context
from apps.tuning.domain.baseline import tuning_label
from apps.tuning.models import TuningProfile

MAX_LENGTH = 200
MAX_VALUES = 500
MAX_ID = 2**63 - 1
AUTOCOMPLETE = {"data-autocomplete": "1"}
ANY = {**AUTOCOMPLETE, "data-placeholder": lazy("any")}


class MultiPickInput(forms.SelectMultiple):
    """Autocomplete input of several rows; the page contains only the chosen ones.

    `kind` names the choices (benchlab.autocomplete).
    """

    def __init__(self, kind: str) -> None:
        super().__init__()
        self.kind = kind
        self.field: MultiPickField | None = None

    def get_context(self, name: str, value: Any, attrs: Context | None) -> Context:
        more = {
            **autocomplete_attrs(self.kind),
            "data-placeholder": _("any"),
        }
        rows = self.field.named(value or ()) if self.field is not None else []
        self.choices = [(str(row.pk), str(row)) for row in rows]
        return super().get_context(name, [str(row.pk) for row in rows], {**more, **(attrs or {})})


class MultiPickField(ModelMultipleChoiceField):  # type: ignore[misc] # django-filter: no types
    """Rows by number, or by full name if it is not a number."""

    def __init__(self, *args: Any, kind: str, by: str, **options: Any) -> None:
        self.by = by
        super().__init__(*args, widget=MultiPickInput(kind), **options)
        self.widget.field = self

    def clean(self, value: Any) -> Any:
        texts = [str(one).strip() for one in value or () if str(one).strip()]
        rows = self.named(texts)
        existing = {str(row.pk) for row in rows} | {str(getattr(row, self.by)) for row in rows}
        if missing := [text for text in texts if text not in existing]:
            texts_given = _("There is no “{name}”.").format(name=missing[0][:MAX_LENGTH])
            raise ValidationError(texts_given)
        return rows

    def named(self, texts: Iterable[Any]) -> list[Model]:
        """Return the rows of these numbers and names, without missing ones."""
        texts_given = [str(text) for text in texts if "\0" not in str(text)][:MAX_VALUES]
        keys = [int(text) for text in texts_given if is_number(text)]
        rows = {row.pk: row for row in self.queryset.filter(pk__in=_valid_ids(keys))}
        names = [text for text in texts_given if not is_number(text)]
        if names:
            rows |= {row.pk: row for row in self.queryset.filter(**{f"{self.by}__in": names})}
        return [rows[key] for key in sorted(rows)]


class MultiPickFilter(filters.ModelMultipleChoiceFilter):  # type: ignore[misc] # as above
    """Filter of rows; `kind`: choices, `by`: column of the name."""

    field_class = MultiPickField


class NumbersField(ModelMultipleChoiceField):  # type: ignore[misc] # as above
    """Rows by number, in hidden inputs."""

    widget = forms.MultipleHiddenInput

    def clean(self, value: Any) -> Any:
        texts = [str(one) for one in value or () if str(one)]
        digits = [text for text in texts if is_number(text)]
        rows = self.queryset.filter(pk__in=_valid_ids(map(int, digits)))
        result = sorted(rows, key=lambda row: row.pk)
        existing = {row.pk for row in result}
        for text in texts:
            if text not in digits or int(text) not in existing:
                raise ValidationError(_("There is no number {n}.").format(n=text[:MAX_LENGTH]))
        return result


class NumbersFilter(filters.ModelMultipleChoiceFilter):  # type: ignore[misc] # as above
    """Filter of rows by number."""

    field_class = NumbersField


class MultiTextInput(forms.MultipleHiddenInput):
    """Text input per value, at least one."""

    input_type = "text"

    def get_context(self, name: str, value: Any, attrs: Context | None) -> Context:
        context = super().get_context(name, value or [""], attrs)
        for one in context["widget"]["subwidgets"]:  # Django makes them hidden
            one["type"], one["template_name"] = "text", forms.TextInput.template_name
        return context


class TextsField(forms.Field):
    """Texts without empty ones, sorted."""

    widget = MultiTextInput

    def clean(self, value: Sequence[str]) -> tuple[str, ...]:
        result = sorted({text.strip() for text in value or () if text.strip()})
        if len(result) > MAX_VALUES or any(
            len(text) > MAX_LENGTH or "\0" in text for text in result
        ):
            raise ValidationError(_("Choose fewer, or shorter ones."))
        return tuple(result)


class TextsFilter(filters.Filter):  # type: ignore[misc] # as above
    """Filter of texts."""

    field_class = TextsField


class TuningsField(forms.MultipleChoiceField):
    """Tuning profiles by number, and tunings by name at launch or import."""

    widget = forms.SelectMultiple(attrs=ANY)

    def __init__(self, **options: Any) -> None:
        super().__init__(choices=_profiles, **options)

    def clean(self, value: Any) -> tuple[str, ...]:
        result = TextsField(required=False).clean(value or ())
        keys = [text for text in result if is_number(text)]
        rows = TuningProfile.objects.filter(pk__in=_valid_ids(map(int, keys)))
        existing = {str(row.pk) for row in rows}
        for text in keys:
            if text not in existing:
                raise ValidationError(_("There is no number {n}.").format(n=text[:MAX_LENGTH]))
        return result

    def get_bound_field(self, form: forms.BaseForm, field_name: str) -> forms.BoundField:
        """Return the bound field with the chosen names among its choices."""
        bound = super().get_bound_field(form, field_name)
        names = [text for text in bound.value() or () if text and not is_number(text)]
        self.choices = lambda: [
            *_profiles(),
            *((name, tuning_label(name)) for name in names),
        ]  # read if shown
        return bound


def _profiles() -> list[tuple[str, str]]:
    rows = TuningProfile.objects.order_by("name").values_list("pk", "name")
    return [(str(key), tuning_label(name)) for key, name in rows]


class TuningsFilter(filters.Filter):  # type: ignore[misc] # as above
    """Filter of tunings."""

    field_class = TuningsField


class RangesField(TextsField):
    """Parameters by value or range."""

    def clean(self, value: Sequence[str]) -> Any:
        try:
            return tuple(sorted({ParameterRange.read(text) for text in super().clean(value)}))
        except ValueError as error:
            raise ValidationError(str(error)) from error


class RangesFilter(filters.Filter):  # type: ignore[misc] # as above
    """Filter of parameter ranges."""

    field_class = RangesField


def _valid_ids(keys: Iterable[int]) -> list[int]:
    return [key for key in keys if key <= MAX_ID]


def autocomplete_attrs(kind: str) -> dict[str, str]:
    """Return the attributes of a select with the choices of a kind from the server."""
    return AUTOCOMPLETE | {"data-autocomplete-url": reverse("choices", args=[kind])}


def set_choices(form: forms.Form, name: str, choices: Sequence[tuple[Any, str]]) -> None:
    """Set the choices of a form's field."""
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    field.choices = choices

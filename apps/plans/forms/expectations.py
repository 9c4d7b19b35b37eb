"""A step's expectations as rows of its form.

Fields `e0-metric`, `e0-value` ... belong to the step's form, so that an error is next to its row. A
row without a metric is ignored.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from apps.plans.domain.value_parser import EXPECTED, MOST, WrittenError, read, value_text
from apps.plans.schemas.expectations import Expectation, Expectations
from apps.tools.metrics import METRICS
from apps.tools.registry import TOOLS

SOURCES = (
    ("own", lazy("we ask for it")),
    ("provider", lazy("the provider promises it")),
    ("model", lazy("by the disk's model")),
)
DIRECTIONS = (
    ("", lazy("on its good side of")),
    ("least", lazy("at least")),
    ("most", lazy("at most")),
)
_PARTS = ("metric", "direction", "value", "tolerance", "operation", "source")


def rows_posted(data: QueryDict | Mapping[str, Any] | None, prefix: str) -> int:
    """Return the number of rows of a request; at least one is shown."""
    number = 0
    while data is not None and number < MOST and f"{prefix}e{number}-metric" in data:
        number += 1
    return max(number, 1)


def row_fields(number: int, tool: str) -> dict[str, forms.Field]:
    """Return the fields of one row."""
    plugin = TOOLS.get(tool)
    operations = plugin.operations if plugin is not None else ()
    metrics = [("", lazy("nothing")), *((metric.key, _(metric.label)) for metric in EXPECTED)]
    result = {
        "metric": forms.ChoiceField(label=lazy("Metric"), required=False, choices=metrics),
        "direction": forms.ChoiceField(
            label=lazy("Is"),
            required=False,
            choices=DIRECTIONS,
        ),
        "value": forms.CharField(
            label=lazy("Value"),
            required=False,
            max_length=40,
            widget=forms.TextInput(attrs={"autocomplete": "off", "placeholder": "170 MB/s"}),
        ),
        "tolerance": forms.FloatField(
            label=lazy("Tolerance (%)"), required=False, min_value=0, max_value=99.9
        ),
        "operation": forms.ChoiceField(
            label=lazy("Of"),
            required=False,
            choices=[("", lazy("each operation")), *((name, name) for name in operations)],
        ),
        "source": forms.ChoiceField(label=lazy("Since"), required=False, choices=SOURCES),
    }  # fmt: skip
    return {f"e{number}-{part}": result[part] for part in _PARTS}


def row_initial(expectations: Sequence[Expectation]) -> dict[str, object]:
    """Return the initial values of rows for these expectations."""
    result: dict[str, object] = {}
    for number, one in enumerate(expectations):
        metric = METRICS.get(one.metric)
        shown = value_text(metric, one.value, one.unit) if metric and one.value is not None else ""
        values = (
            one.metric,
            one.direction,
            shown,
            one.tolerance or None,
            one.operation,
            one.source,
        )
        result |= {f"e{number}-{part}": v for part, v in zip(_PARTS, values, strict=True)}
    return result


def rows_of(form: forms.Form, number: int) -> Iterator[list[BoundField]]:
    """Return the rows of a step's form for its template."""
    for row in range(number):
        yield [form[f"e{row}-{part}"] for part in _PARTS]


def rows_clean(form: forms.Form, number: int) -> Expectations:
    """Return the expectations of a cleaned form; add an error to each unreadable field."""
    result = []
    for row in range(number):
        typed = {part: form.cleaned_data.get(f"e{row}-{part}") for part in _PARTS}
        try:
            if expected := _expectation(typed):
                result.append(expected)
        except WrittenError as error:
            form.add_error(f"e{row}-value", str(error))
    return tuple(result)


def _expectation(typed: Mapping[str, Any]) -> Expectation | None:
    """Return the expectation of a row.

    Raises: WrittenError.
    """
    metric = METRICS.get(typed["metric"] or "")
    if metric is None:
        return None
    value, unit = read(metric, typed["value"]) if typed["value"] else (None, "")
    return Expectation(
        metric.key,
        typed["direction"] or ("least" if metric.higher_is_better else "most"),
        value,
        unit,
        typed["tolerance"] or 0.0,
        typed["source"] or "own",
        typed["operation"] or "",
    )

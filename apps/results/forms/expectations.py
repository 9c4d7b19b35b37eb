"""Form of the expectations of an imported run; rows without a metric are ignored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from django.utils.translation import gettext_lazy as _

from apps.plans.domain.value_parser import MOST
from apps.plans.forms.expectations import SOURCES, row_fields, row_initial, rows_clean, rows_posted
from apps.results.schemas.imported_expectations import TargetExpectation

SPARE_ROWS = 2
PARTS = ("target", "metric", "direction", "value", "tolerance", "operation", "source")
ENTERED_SOURCES = [row for row in SOURCES if row[0] != "model"]


class ImportedExpectationsForm(forms.Form):
    """Rows of target and expectation; `names` and `operations` are those of the run."""

    def __init__(
        self,
        data: Any = None,
        *,
        stored: Sequence[TargetExpectation],
        names: Sequence[str],
        operations: Sequence[str],
    ) -> None:
        self.row_count = rows_posted(data, "") if data else min(len(stored) + SPARE_ROWS, MOST)
        initial = row_initial([one.expected for one in stored])
        initial |= {f"e{number}-target": one.target for number, one in enumerate(stored)}
        super().__init__(data, initial=initial)
        for number in range(self.row_count):
            self.fields[f"e{number}-target"] = forms.ChoiceField(
                label=_("Target"),
                required=False,
                choices=[("", _("every target")), *((name, name) for name in names)],
            )
            self.fields.update(row_fields(number, ""))
            operation = self.fields[f"e{number}-operation"]
            source = self.fields[f"e{number}-source"]
            assert isinstance(operation, forms.ChoiceField)
            assert isinstance(source, forms.ChoiceField)
            operation.choices = [("", _("each operation")), *((name, name) for name in operations)]
            source.choices = ENTERED_SOURCES
        self.wanted: list[TargetExpectation] = []

    @property
    def rows(self) -> Iterator[list[BoundField]]:
        """Yield the fields of each row for the template."""
        for row in range(self.row_count):
            yield [self[f"e{row}-{part}"] for part in PARTS]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        rows = [row for row in range(self.row_count) if data.get(f"e{row}-metric")]
        for row in rows:
            if not data.get(f"e{row}-value") and f"e{row}-value" not in self.errors:
                self.add_error(f"e{row}-value", _("An expectation needs a value."))
        expected = rows_clean(self, self.row_count)
        if not self.errors:
            targets = [data.get(f"e{row}-target") or "" for row in rows]
            self.wanted = [
                TargetExpectation(one, target)
                for one, target in zip(expected, targets, strict=True)
            ]
        return data

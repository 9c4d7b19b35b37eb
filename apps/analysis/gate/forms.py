"""Form above a gate. `parse_gate_query` reads it; the form only offers choices."""

from __future__ import annotations

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from apps.analysis.gate.choices import against_choices, chosen_label
from apps.analysis.gate.query import LIMITS
from apps.analysis.queries.comparison_query import is_id
from apps.analysis.queries.fields import autocomplete_attrs, set_choices
from apps.analysis.verdicts.verdict_text import SHORT
from apps.runs.models import Run

MAIN_LIMITS = ("iops_worse", "bandwidth_worse", "latency_mean_worse", "latency_p99_worse")


class GateForm(forms.Form):
    """Form of a gate's query: the run, what it meets, and a limit for each metric in percent."""

    run = forms.ChoiceField(label=lazy("Run"), required=False)
    against = forms.ChoiceField(label=lazy("Compare with"), required=False)
    operation = forms.CharField(label=lazy("Operation"), required=False, max_length=40)

    def __init__(self, data: QueryDict) -> None:
        super().__init__(initial=data.dict())
        text = data.get("run", "")
        run = Run.objects.filter(pk=int(text)).first() if is_id(text) else None
        set_choices(self, "run", [("", _("Choose a run")), *([(text, str(run))] if run else [])])
        choices = against_choices(run) if run else []
        chosen = data.get("against", "")
        if chosen and chosen not in dict(choices):
            choices.append((chosen, chosen_label(chosen)))
        set_choices(self, "against", [("", _("Choose")), *choices])
        self.fields["run"].widget.attrs = autocomplete_attrs("runs")
        for name, metric in LIMITS.items():
            label = _("{metric} worse (%)").format(metric=SHORT[metric])
            field = forms.DecimalField(label=label, required=False)
            field.widget.attrs = {"step": "any", "min": "0", "max": "1000"}
            self.fields[name] = field

    @property
    def main(self) -> list[forms.BoundField]:
        """Return the fields that most gates need."""
        return [self[name] for name in ("run", "against", *MAIN_LIMITS)]

    @property
    def more(self) -> list[forms.BoundField]:
        """Return the other limits, and the operation."""
        return [self[name] for name in (*LIMITS, "operation") if name not in MAIN_LIMITS]

    @property
    def has_more(self) -> bool:
        """Return True if one of the other fields has a value."""
        return any(field.initial for field in self.more)

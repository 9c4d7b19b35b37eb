"""The form above a comparison. It is sent with GET and read by `question`; here it only
offers what there is to choose.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from apps.analysis.queries.comparison_query import ComparisonQuery
from apps.analysis.queries.comparison_runs import offered_names
from apps.analysis.queries.filters import SelectionFilter
from apps.analysis.verdicts.comparison import Choices as Narrowed
from apps.analysis.verdicts.text import SHORT
from apps.results.models import Figure
from apps.tools.metrics import COMPARISON_METRICS

Choices = list[tuple[Any, str]]
PICKER = {"data-picker": "1"}


class CompareForm(forms.Form):
    """`question` is shown as chosen; `levels` and `choices` say what could be instead."""

    plan = forms.ChoiceField(label=lazy("All runs of the plan"), required=False)
    run = forms.MultipleChoiceField(label=lazy("Runs"), required=False)
    factor = forms.ChoiceField(label=lazy("Compare by"), required=False)
    baseline = forms.ChoiceField(label=lazy("Baseline"), required=False)
    operation = forms.ChoiceField(label=lazy("Operation"), required=False)
    host = forms.ChoiceField(label=lazy("Only host"), required=False)
    target = forms.ChoiceField(label=lazy("Only target"), required=False)
    tuning = forms.ChoiceField(label=lazy("Only tuning"), required=False)
    metric = forms.MultipleChoiceField(label=lazy("Metrics to test"), required=False)
    minimum = forms.DecimalField(
        label=lazy("Ignore changes below (%)"), required=False, min_value=0, max_value=1000
    )

    def __init__(self, question: ComparisonQuery, levels: Sequence[str], choices: Narrowed) -> None:
        initial = {
            "plan": question.plan, "run": question.runs, "factor": question.factor,
            "baseline": question.baseline, "operation": question.operation,
            "host": question.host, "target": question.target,
            "tuning": question.tuning, "metric": question.metrics,
            "minimum": f"{question.minimum:g}",
        }  # fmt: skip
        super().__init__(initial=initial)
        self.further = question.further
        self._offer_runs(question)
        self._offer("factor", _factors(question, choices.params))
        unset = _("as in the plan") if question.factor == "tuning" else _("the first")
        self._offer("baseline", _any(unset, _same(levels), question.baseline))
        self._offer("operation", _any(_("all"), _same(choices.operations), question.operation))
        self._offer("host", _any(_("any"), choices.hosts, question.host))
        self._offer("target", _any(_("any"), _same(choices.targets), question.target))
        self._offer("tuning", _any(_("any"), _same(choices.tunings), question.tuning))
        self._offer("metric", [(key, str(SHORT[key])) for key in COMPARISON_METRICS])
        words = _("as many as the repeats can carry")
        self.fields["metric"].widget.attrs = PICKER | {"data-placeholder": words}
        self.fields["minimum"].widget.attrs = {"step": "any", "min": "0", "max": "1000"}

    @property
    def selected(self) -> SelectionFilter:
        """The fields of the selection that stand in no field of this form."""
        return SelectionFilter(QueryDict(self.further.query()), queryset=Figure.objects.none())

    @property
    def main(self) -> list[forms.BoundField]:
        """The fields that say what is compared."""
        return [self[name] for name in ("plan", "run", "factor", "baseline")]

    @property
    def more(self) -> list[forms.BoundField]:
        """The fields that narrow the comparison."""
        return [self[n] for n in ("operation", "host", "target", "tuning", "metric", "minimum")]

    def _offer_runs(self, question: ComparisonQuery) -> None:
        offered = offered_names(question.runs, question.plan)
        self._offer("plan", [("", _("none")), *offered.plans])
        self._offer("run", offered.runs)
        self.fields["plan"].widget.attrs = PICKER | _asks("plans-launched")
        words = _("Choose runs")
        self.fields["run"].widget.attrs = PICKER | _asks("runs") | {"data-placeholder": words}

    def _offer(self, name: str, choices: Choices) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices


def _asks(kind: str) -> dict[str, str]:
    """Attributes of a picker that asks the server for choices while somebody types."""
    return {"data-picker-url": reverse("choices", args=[kind])}


def _factors(question: ComparisonQuery, params: Mapping[str, str]) -> Choices:
    asked = {question.param: question.param} if question.param else {}
    return [
        ("tuning", _("Tuning")),
        ("host", _("Host")),
        ("target", _("Target")),
        ("disk", _("Disk or directory of one host")),
        ("run", _("Run")),
        *((f"param:{name}", label) for name, label in {**asked, **params}.items()),
    ]


def _any(word: str, choices: Iterable[tuple[Any, str]], chosen: Any) -> Choices:
    """The choices below "any"; what is chosen stays in the list even where it matches nothing."""
    found = list(choices)
    if chosen and chosen not in [value for value, _label in found]:
        found.append((chosen, str(chosen)))
    return [("", word), *found]


def _same(texts: Iterable[str]) -> list[tuple[str, str]]:
    return [(text, text) for text in texts]

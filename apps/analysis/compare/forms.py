"""Form above a comparison. `parse_comparison_query` reads it; the form only offers choices."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from apps.analysis.queries.comparison_query import FACTOR_LABELS, ComparisonQuery
from apps.analysis.queries.comparison_runs import offered_names
from apps.analysis.queries.fields import AUTOCOMPLETE, autocomplete_attrs, set_choices
from apps.analysis.queries.filters import SelectionFilter
from apps.analysis.verdicts.comparison import Choices as Narrowed
from apps.analysis.verdicts.verdict_text import SHORT
from apps.results.models import ResultSummary
from apps.tools.metrics import COMPARISON_METRICS
from apps.tuning.domain.baseline import tuning_label

Choices = list[tuple[Any, str]]


class CompareForm(forms.Form):
    """Form of a comparison query; `levels`, (name, label), and `choices` are the alternatives."""

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

    def __init__(
        self, query: ComparisonQuery, levels: Sequence[tuple[str, str]], choices: Narrowed
    ) -> None:
        initial = {
            "plan": query.plan, "run": query.runs, "factor": query.factor,
            "baseline": query.baseline, "operation": query.operation,
            "host": query.host, "target": query.target,
            "tuning": query.tuning, "metric": query.metrics,
            "minimum": f"{query.minimum:g}",
        }  # fmt: skip
        super().__init__(initial=initial)
        self.further = query.further
        self._offer_runs(query)
        set_choices(self, "factor", _factors(query, choices.params))
        unset = _("as in the plan") if query.factor == "tuning" else _("the first")
        set_choices(self, "baseline", _with_any(unset, levels, query.baseline))
        operations = _text_choices(choices.operations)
        set_choices(self, "operation", _with_any(_("any"), operations, query.operation))
        set_choices(self, "host", _with_any(_("any"), choices.hosts, query.host))
        targets = _text_choices(choices.targets)
        set_choices(self, "target", _with_any(_("any"), targets, query.target))
        tunings = [(one, tuning_label(one)) for one in choices.tunings]
        set_choices(self, "tuning", _with_any(_("any"), tunings, query.tuning))
        set_choices(self, "metric", [(key, str(SHORT[key])) for key in COMPARISON_METRICS])
        text = _("as many as the repeats can carry")
        self.fields["metric"].widget.attrs = AUTOCOMPLETE | {"data-placeholder": text}
        self.fields["minimum"].widget.attrs = {"step": "any", "min": "0", "max": "1000"}

    @property
    def selected(self) -> SelectionFilter:
        """Return the filter of the parts of the selection without a field here."""
        return SelectionFilter(
            QueryDict(self.further.urlencode()), queryset=ResultSummary.objects.none()
        )

    @property
    def main(self) -> list[forms.BoundField]:
        """Return the fields that define the comparison."""
        return [self[name] for name in ("plan", "run", "factor", "baseline")]

    @property
    def more(self) -> list[forms.BoundField]:
        """Return the fields that narrow the comparison."""
        return [self[n] for n in ("operation", "host", "target", "tuning", "metric", "minimum")]

    def _offer_runs(self, query: ComparisonQuery) -> None:
        offered = offered_names(query.runs, query.plan)
        set_choices(self, "plan", [("", _("none")), *offered.plans])
        set_choices(self, "run", offered.runs)
        self.fields["plan"].widget.attrs = autocomplete_attrs("plans-launched")
        text = _("Choose runs")
        self.fields["run"].widget.attrs = autocomplete_attrs("runs") | {"data-placeholder": text}


def _factors(query: ComparisonQuery, params: Mapping[str, str]) -> Choices:
    own_param = {query.param: query.param} if query.param else {}
    return [
        *((name, str(label)) for name, label in FACTOR_LABELS.items()),
        *((f"param:{name}", label) for name, label in {**own_param, **params}.items()),
    ]


def _with_any(word: str, choices: Iterable[tuple[Any, str]], chosen: Any) -> Choices:
    """Return the choices below "any", with the chosen one even if it matches nothing."""
    options = list(choices)
    if chosen and chosen not in [value for value, _label in options]:
        options.append((chosen, str(chosen)))
    return [("", word), *options]


def _text_choices(texts: Iterable[str]) -> list[tuple[str, str]]:
    return [(text, text) for text in texts]

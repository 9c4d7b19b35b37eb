"""Fields for a plan's tuning profiles and its baseline."""

from __future__ import annotations

from collections.abc import Sequence

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as lazy

from apps.tuning.models import TuningProfile
from apps.tuning.selectors import tunings_current


class TuningFields(forms.Form):
    """Mixin with the fields; the form of a plan includes them."""

    tunings = forms.ModelMultipleChoiceField(
        queryset=TuningProfile.objects.none(),
        label=lazy("Tunings"),
        required=False,
        widget=forms.SelectMultiple(attrs={"data-autocomplete": ""}),
        help_text=lazy("Each test runs with each of them. None: host defaults."),
    )
    baseline = forms.ModelChoiceField(
        queryset=TuningProfile.objects.none(),
        label=lazy("Baseline"),
        required=False,
        empty_label=lazy("host defaults if selected above, else the first tuning"),
        widget=forms.Select(attrs={"data-autocomplete": ""}),
        help_text=lazy("The tuning that comparisons and reports set the others against."),
    )

    def offer_tunings(self, current: Sequence[TuningProfile]) -> None:
        """Offer every newest profile, and `current`, those of the plan."""
        tunings = tunings_current() | TuningProfile.objects.filter(pk__in=[t.pk for t in current])
        for name in ("tunings", "baseline"):
            self.fields[name].queryset = tunings  # type: ignore[attr-defined] # declared above

    def chosen_tunings(self) -> list[TuningProfile]:
        """Return the profiles in the order of choice."""
        sent = self.data.getlist("tunings") if isinstance(self.data, QueryDict) else []
        result = {str(tuning.pk): tuning for tuning in self.cleaned_data.get("tunings", [])}
        return [result[key] for key in dict.fromkeys([*sent, *result]) if key in result]

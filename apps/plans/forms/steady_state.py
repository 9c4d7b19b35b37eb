"""Rounds in the plan's form: fields of the form, and what they say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.plans.schemas.steady_state import LEAST_ROUNDS, MOST_ROUNDS, SteadyStateRule

TITLE = _("Rounds until the device is steady")
HELP = _(
    "Instead of repeats: every test once a round, until the tracked figure is steady over five "
    "rounds (SNIA SSS PTS: within 20 %, its trend within 10 % of the average). Only those five are "
    "compared."
)


class RoundsFields(forms.Form):
    """The fields; a plan's form has them beside its own."""

    rounds_most = forms.IntegerField(
        label=_("At most so many rounds"),
        required=False,
        min_value=0,
        max_value=MOST_ROUNDS,
        initial=0,
        help_text=_("0: no rounds, but repeats. The specification has 25."),
    )
    rounds_step = forms.IntegerField(
        label=_("Number of the step that is tracked"), required=False, min_value=1, initial=1
    )
    rounds_metric = forms.ChoiceField(
        label=_("Figure that is tracked"),
        required=False,
        initial="iops",
        choices=[
            ("iops", _("IOPS")),
            ("bandwidth", _("bandwidth")),
            ("latency_mean", _("mean latency")),
        ],
    )

    def clean_rounds_most(self) -> int:
        """No rounds, or a window of them at least."""
        most: int = self.cleaned_data["rounds_most"] or 0
        if 0 < most < LEAST_ROUNDS:
            raise forms.ValidationError(_("A window has five rounds: 5 at least, or 0 for none."))
        return most


FIELDS = tuple(RoundsFields.base_fields)


def rounds_of(data: Mapping[str, Any]) -> SteadyStateRule:
    """The rounds that the cleaned data say."""
    return SteadyStateRule(
        max_rounds=data.get("rounds_most") or 0,
        step=data.get("rounds_step") or 1,
        metric=data.get("rounds_metric") or "iops",
    )


def initial_of(rounds: SteadyStateRule) -> dict[str, object]:
    """The initial values of the fields."""
    return {
        "rounds_most": rounds.max_rounds,
        "rounds_step": rounds.step,
        "rounds_metric": rounds.metric,
    }

"""A preparation in the plan's form: fields of the form, and what they say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.plans.schemas.preconditioning import (
    MOST_AGE_ROUNDS,
    MOST_FILLS,
    MOST_ROUND_SECONDS,
    Preconditioning,
)

TITLE = _("Preparation of the disks")
HELP = _(
    "An SSD measured as it comes from its box is faster than it will ever be again. What is chosen "
    "here is done to each disk of the plan before the first test; it destroys what is on it."
)


class PreparationFields(forms.Form):
    """The fields; a plan's form has them beside its own."""

    discard = forms.ChoiceField(
        label=_("Discard"),
        required=False,
        choices=[
            ("", _("no")),
            ("discard", _("give all blocks back")),
            ("secure", _("give all blocks back, securely where the device offers it")),
        ],
    )
    fill_sequential = forms.IntegerField(
        label=_("Fill in sequence"),
        required=False,
        min_value=0,
        max_value=MOST_FILLS,
        initial=0,
        help_text=_("How many times, at 128 KiB. SNIA's specification asks for 2."),
    )
    fill_random = forms.IntegerField(
        label=_("Fill in random order"),
        required=False,
        min_value=0,
        max_value=MOST_FILLS,
        initial=0,
        help_text=_("How many times, each block of 4 KiB once."),
    )
    age_rounds = forms.IntegerField(
        label=_("Age to steady state: rounds at most"),
        required=False,
        min_value=0,
        max_value=MOST_AGE_ROUNDS,
        initial=0,
        help_text=_(
            "Random writes of 4 KiB in rounds, until five of them are steady. 0: no; SNIA's "
            "specification has 25."
        ),
    )
    age_seconds = forms.IntegerField(
        label=_("Seconds of such a round"),
        required=False,
        min_value=1,
        max_value=MOST_ROUND_SECONDS,
        initial=60,
    )
    prepare_always = forms.BooleanField(
        label=_("Also where the disk is known to be in that state"),
        required=False,
        help_text=_(
            "Otherwise left out while nothing else was written to the disk since, and samples of "
            "it are as they were left."
        ),
    )


FIELDS = tuple(PreparationFields.base_fields)


def preparation_of(data: Mapping[str, Any]) -> Preconditioning:
    """The preparation that the cleaned data say; fields that could not be read are left out."""
    return Preconditioning(
        purge=data.get("discard") or "",
        sequential_fills=data.get("fill_sequential") or 0,
        random_fills=data.get("fill_random") or 0,
        max_aging_rounds=data.get("age_rounds") or 0,
        aging_round_seconds=data.get("age_seconds") or 60,
        even_if_known=bool(data.get("prepare_always")),
    )


def initial_of(preparation: Preconditioning) -> dict[str, object]:
    """The initial values of the fields."""
    return {
        "discard": preparation.purge,
        "fill_sequential": preparation.sequential_fills,
        "fill_random": preparation.random_fills,
        "age_rounds": preparation.max_aging_rounds,
        "age_seconds": preparation.aging_round_seconds,
        "prepare_always": preparation.even_if_known,
    }

"""Forms about runs."""

from __future__ import annotations

import re
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.common.forms.tags import TagsForm
from apps.plans.schemas.disturbance import MAX_MEMBER_LENGTH
from apps.plans.schemas.factors import MAX_LETTERS
from apps.plans.schemas.plan import MAX_REPEATS
from apps.plans.schemas.stopping import (
    MAX_BLOCKS,
    MAX_WITHIN,
    MIN_WITHIN,
    USUAL_BLOCKS,
    USUAL_WITHIN,
)
from apps.runs.models import ApprovalPolicy, CaseState, Priority
from apps.runs.services.approvals import POLICY_FIELDS
from apps.runs.services.extension import MAX_SELECTED_CASES
from apps.runs.services.runs import SCHEDULE_KEYS
from apps.stats.repeats import RECOMMENDED_REPEATS

_NUMBER = re.compile(r"[1-9][0-9]{0,17}")
WIPE = "wipe"
"""The word that is typed to let a launch overwrite disks with signatures."""


class LaunchForm(forms.Form):
    """Launch form of a plan's page."""

    note = forms.CharField(max_length=500, required=False)
    idempotency_key = forms.CharField(max_length=80, required=False)
    confirm_wipe = forms.CharField(required=False, max_length=20)
    priority = forms.TypedChoiceField(choices=Priority.choices, coerce=int, required=False)
    confirm_disturbance = forms.CharField(required=False, max_length=MAX_MEMBER_LENGTH)

    def clean_idempotency_key(self) -> str:
        key = str(self.cleaned_data["idempotency_key"])
        if key.startswith(SCHEDULE_KEYS):
            raise forms.ValidationError(_("Such a key belongs to schedules."))
        return key

    def clean_priority(self) -> int:
        priority = self.cleaned_data["priority"]
        return int(Priority.NORMAL if priority == "" else priority)

    def clean_confirm_wipe(self) -> bool:
        typed = str(self.cleaned_data["confirm_wipe"])
        if typed not in ("", WIPE):
            raise forms.ValidationError(
                _("Type “wipe” to let this launch overwrite such disks, or leave it empty.")
            )
        return typed == WIPE


class PriorityForm(forms.Form):
    """Priority of a run in the queue."""

    priority = forms.TypedChoiceField(choices=Priority.choices, coerce=int)


class NoteForm(forms.Form):
    note = forms.CharField(
        label=_("Note"),
        required=False,
        max_length=5_000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Notes for readers of this run in later years."),
    )


class BulkEditForm(TagsForm):
    """Changes to several runs."""

    archive = forms.BooleanField(
        label=_("Archive them"),
        required=False,
        help_text=_("Lists and pickers hide them; they are compared as before."),
    )
    nothing = _("Select an action: tag, or archive.")


class CasesField(forms.Field):
    """Ids of selected cases."""

    widget = forms.MultipleHiddenInput

    def to_python(self, value: Any) -> tuple[int, ...]:
        texts = [str(one) for one in value or ()]
        if len(texts) > MAX_SELECTED_CASES or not all(map(_NUMBER.fullmatch, texts)):
            raise forms.ValidationError(_("Choose tests of this run."))
        return tuple(map(int, texts))


def _small_number() -> forms.NumberInput:
    return forms.NumberInput(attrs={"class": "form-control form-control-sm"})


class RepeatsForm(forms.Form):
    """Repeats to add to an ended run; of the selected cases if `chosen` is set."""

    repeats = forms.IntegerField(
        label=_("Repeats"),
        min_value=1,
        max_value=MAX_REPEATS,
        initial=RECOMMENDED_REPEATS,
        widget=_small_number(),
    )
    case = CasesField(required=False)
    chosen = forms.BooleanField(required=False, widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if data.get("chosen") and not data.get("case"):
            raise forms.ValidationError(_("Choose what is measured again first."))
        return data


class UntilForm(forms.Form):
    """Limits of blocks to add to an ended run until all comparisons are decided."""

    precision_percent = forms.FloatField(
        label=_("Every interval within (± %)"),
        min_value=MIN_WITHIN,
        max_value=MAX_WITHIN,
        initial=USUAL_WITHIN,
        widget=_small_number(),
    )
    max_blocks = forms.IntegerField(
        label=_("At most so many more blocks"),
        min_value=1,
        max_value=MAX_BLOCKS,
        initial=USUAL_BLOCKS,
        widget=_small_number(),
    )
    factor = forms.CharField(label=_("Compare levels of"), required=False, max_length=MAX_LETTERS)


class CaseTableForm(forms.Form):
    """Filters of the table of a run's cases."""

    state = forms.ChoiceField(
        label=_("State"),
        required=False,
        choices=[("", _("every state")), *CaseState.choices],
    )
    text = forms.CharField(
        label=_("Test, tuning, host or target contains"), required=False, max_length=80
    )


class DeletionForm(forms.Form):
    """Name of the run as confirmation."""

    name = forms.CharField(
        label=_("Name of the run"),
        max_length=120,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class ReasonForm(forms.Form):
    """Reason to abandon attempts, or to release their resources."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=1_000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("It stands in the audit record and in the event log of the run."),
    )


class ApprovalForm(forms.Form):
    """Decision about the effects with a digest."""

    digest = forms.RegexField(r"\A[0-9a-f]{64}\Z", widget=forms.HiddenInput)
    note = forms.CharField(
        label=_("Note"), required=False, max_length=2_000, widget=forms.Textarea(attrs={"rows": 2})
    )
    decision = forms.ChoiceField(choices=[("approve", ""), ("refuse", "")])

    def decision_values(self) -> dict[str, Any]:
        """Return the arguments of the service."""
        data = self.cleaned_data
        return {
            "digest": data["digest"],
            "note": data["note"],
            "approve": data["decision"] == "approve",
        }


class ApprovalPolicyForm(forms.ModelForm):  # type: ignore[type-arg] # Django's forms take no type at run time
    """Scope and acts of an approval policy."""

    groups: ClassVar[list[tuple[object, object, list[str]]]] = [
        (_("Policy"), "", ["name", "enabled"]),
        (_("Runs"), _("Of a team, on hosts with a tag, or all."), ["team", "host_tag"]),
        (
            _("Acts"),
            _("A run that does one of them needs an approval."),
            ["on_wipe", "on_ceph", "over_terabytes", "over_hours"],
        ),
    ]

    class Meta:
        model = ApprovalPolicy
        fields = POLICY_FIELDS
        help_texts: ClassVar[dict[str, object]] = {
            "over_terabytes": _(
                "With all cases that rules and a load search may add; 1 GiB/s for each device "
                "where only its speed decides."
            ),
            "over_hours": _("With all cases that rules and a load search may add."),
        }

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["team"].empty_label = _("any")  # type: ignore[attr-defined] # of a ModelChoiceField

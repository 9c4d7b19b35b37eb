"""The form of a target group."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.accounts.forms import team_field
from apps.accounts.models import User
from apps.inventory.models import GroupMember, TargetGroup
from apps.inventory.schemas.raid_levels import RaidLevel
from apps.inventory.selectors.inventory import member_value, members_named, members_offered
from apps.inventory.selectors.labels import member_label
from apps.inventory.services import GroupDraft


class GroupForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=80)
    members = forms.MultipleChoiceField(
        label=_("Disks, or directories"),
        widget=forms.SelectMultiple(
            attrs={"data-autocomplete": "", "data-autocomplete-max": "1000"}
        ),
        help_text=_(
            "At least two, of one host or several. One test uses all of them at the same time. "
            "Tests that write need every disk of the group to be enrolled."
        ),
    )

    level = forms.ChoiceField(
        label=_("Level"),
        required=False,
        choices=RaidLevel.choices,
        help_text=_(
            "Of an array that they are, which no host sees behind a controller. Results keep it, "
            "and ceilings count with what a write costs there."
        ),
    )

    def __init__(self, data: Any = None, *, user: User, group: TargetGroup | None = None) -> None:
        super().__init__(data, initial=_initial(group) if group else None)
        current = group.members if group else []
        offered = {member_value(row): row for row in (*members_offered(), *current)}
        self.fields["members"].choices = _by_host(list(offered.values()))  # type: ignore[attr-defined] # as declared above
        self.fields["team"] = team_field(user, group.team if group else None)

    def draft(self) -> GroupDraft:
        """Return the values for `group_save`."""
        values = self.cleaned_data
        members = members_named(values["members"])
        return GroupDraft(values["name"], members, values["team"], values["level"])


def _by_host(rows: list[GroupMember]) -> list[tuple[str, list[tuple[str, str]]]]:
    rows = sorted(rows, key=lambda row: row.host.name)
    return [
        (name, [(member_value(row), member_label(row)) for row in of_host])
        for name, of_host in groupby(rows, key=lambda row: row.host.name)
    ]


def _initial(group: TargetGroup) -> dict[str, object]:
    values = [member_value(row) for row in group.members]
    return {"name": group.name, "members": values, "team": group.team_id, "level": group.level}

"""Form for a list of disks to enrol."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.inventory.domain.host_lists import MAX_BYTES
from apps.inventory.forms.pasted_list import PastedListForm


class DiskListForm(PastedListForm):
    """A list of disks as text or file."""

    text = forms.CharField(
        label=_("Disks"),
        required=False,
        strip=False,
        max_length=MAX_BYTES,
        widget=forms.Textarea(
            attrs={
                "class": "mono",
                "spellcheck": "false",
                "wrap": "off",
                "rows": 10,
                "placeholder": "host,serial\nnode01,S4EVNX0M123456",
            }
        ),
        help_text=_(
            "CSV with a first line such as host,serial,wwn,model,note; host and serial are needed. "
            "Each line names one disk. At most 2000 disks."
        ),
    )
    file = forms.FileField(
        label=_("Or a file"), required=False, help_text=_("Its text replaces the one above.")
    )

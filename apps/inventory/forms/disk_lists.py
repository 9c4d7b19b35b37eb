"""Form for a list of disks to enrol."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from apps.inventory.forms.pasted_list import PastedListForm, list_field


class DiskListForm(PastedListForm):
    """A list of disks as text or file."""

    text = list_field(
        _("Disks"),
        placeholder="host,serial\nnode01,S4EVNX0M123456",
        help_text=_(
            "CSV with a first line such as host,serial,wwn,model,note; host and serial are needed. "
            "Each line names one disk. At most 2000 disks."
        ),
    )

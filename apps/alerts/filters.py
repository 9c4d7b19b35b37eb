"""Columns of the list of alerts."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from apps.common.database.natural_order import natural_order
from apps.common.web.lists import ListColumn

ALERT_COLUMNS = (
    ListColumn("name", _("Name"), natural_order("name")),
    ListColumn("evaluated", _("Evaluated")),
    ListColumn("recipients", _("Recipients")),
    ListColumn("on", _("On"), "enabled"),
    ListColumn("owner", _("Owner"), "owner__username"),
    ListColumn("changed", _("Changed"), "updated_at"),
)

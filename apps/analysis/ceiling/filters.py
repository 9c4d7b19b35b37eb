"""Parameters of ceilings: which tests, and the level of an array that its host cannot see."""

from __future__ import annotations

import django_filters as filters
from django.utils.translation import gettext_lazy as _

from apps.analysis.ceiling.level import LEVELS, CeilingLevel
from apps.analysis.distribution.filters import NAMING, several
from apps.analysis.history.filters import HistoryFilter
from apps.runs.models import Case, Run


class CeilingFilter(HistoryFilter):
    """Figures of groups and pools. The level chooses nothing among them."""

    metric = None
    run = several(Run, _("Runs"))
    case = several(Case, _("Tests"))
    level = filters.ChoiceFilter(
        choices=[
            (name, CeilingLevel(name).label or _("none: disks side by side")) for name in LEVELS
        ],
        method="as_they_are",
        label=_("Level of groups"),
        empty_label=_("as the group says"),
    )

    @property
    def is_empty(self) -> bool:
        """Whether nothing says which results."""
        return not any(self.form.cleaned_data[name] for name in NAMING)

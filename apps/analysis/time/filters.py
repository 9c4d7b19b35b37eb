"""Parameters of figures over time: which tests, and which seconds of them."""

from __future__ import annotations

import django_filters as filters
from django.utils.translation import gettext_lazy as _

from apps.analysis.distribution.filters import NAMING, several
from apps.analysis.history.filters import HistoryFilter
from apps.runs.models import Case, Run


class TimeFilter(HistoryFilter):
    """Figures whose tests are laid over each other. `start` and `end` choose nothing among them."""

    metric = None
    run = several(Run, _("Runs"))
    case = several(Case, _("Tests"))
    start = filters.NumberFilter(method="as_they_are", label=_("From second"))
    end = filters.NumberFilter(method="as_they_are", label=_("To second"))

    @property
    def is_empty(self) -> bool:
        """Whether nothing says which results."""
        return not any(self.form.cleaned_data[name] for name in NAMING)

    @property
    def window(self) -> tuple[float | None, float | None]:
        """Seconds after the tool's start, None where open."""
        first, last = self.form.cleaned_data["start"], self.form.cleaned_data["end"]
        return (
            None if first is None else float(first),
            None if last is None else float(last),
        )

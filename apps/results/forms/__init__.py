"""Forms of baselines and of the expectations of imported runs."""

from apps.results.forms.baselines import BaselineForm
from apps.results.forms.expectations import ImportedExpectationsForm

__all__ = ["BaselineForm", "ImportedExpectationsForm"]

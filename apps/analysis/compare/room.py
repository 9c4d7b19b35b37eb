"""The room of comparisons: which level is better, by how much, and how sure that is."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from apps.analysis.compare.answers import VIEW as KEY
from apps.analysis.compare.answers import answer
from apps.analysis.compare.question import NAMES
from apps.analysis.compare.question import question_of as question

TITLE = _("Compare")


def knows(name: str) -> bool:
    """Whether a comparison's query may have this name."""
    return name in NAMES


__all__ = ["KEY", "TITLE", "answer", "knows", "question"]

"""The room of sweeps: results over one parameter."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from apps.analysis.sweep.answer import VIEW as KEY
from apps.analysis.sweep.answer import answer
from apps.analysis.sweep.question import is_known as knows
from apps.analysis.sweep.question import sweep_question_of as question

TITLE = _("Parameter sweep")

__all__ = ["KEY", "TITLE", "answer", "knows", "question"]

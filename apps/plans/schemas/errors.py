"""Errors of plans, by field."""

from __future__ import annotations

from collections.abc import Iterable

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from apps.common.errors import ServiceError, from_validation_error
from apps.plans.schemas.planned import Problem


class PlanError(ServiceError):
    """A refused plan.

    `fields` has dotted names: "name", "targets", "steps.0.params.size".
    """


def invalid(error: ValidationError) -> PlanError:
    """Return the errors of Django's `full_clean` as a PlanError with status 400."""
    refused = from_validation_error(error)
    return PlanError(refused.message, dict(refused.fields), status=400)


def problems_error(problems: Iterable[Problem]) -> PlanError:
    """Return the error with all of these problems, each at its field."""
    fields: dict[str, str | list[str]] = {}
    texts: list[str] = []
    for problem in problems:
        fields[problem_field(problem)] = [*fields.get(problem_field(problem), []), problem.message]
        texts.append(problem.message)
    return PlanError(_("The plan cannot be saved. {}").format(texts[0]), fields, status=400)


BACKGROUND_FIELDS = ("role", "target", "settle_seconds")


def problem_field(problem: Problem) -> str:
    """Return the dotted name of a problem's field.

    Examples: "steps.0.params.size", "steps.0.tool", "targets".
    """
    if problem.step is None:
        return problem.field or "steps"
    if problem.field in ("", "tool", "name", "expectations", *BACKGROUND_FIELDS):
        return f"steps.{problem.step}.{problem.field or 'tool'}"
    return f"steps.{problem.step}.params.{problem.field}"

"""Workload parameters by value or range: `bs:4k`, `iodepth:1..32`, `size:1G..`."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import TypedDict

from django.db.models import Q, QuerySet
from django.db.models.fields.json import KeyTransform
from django.utils.translation import gettext as _

from apps.common.domain.typed_text import narrow
from apps.plans.models import Workload
from apps.tools.param_values import parse_size

MAX_BOUND = 1e300
"""Limit of bounds. JSON values of other types sort after all numbers."""
_TEXT = re.compile(r"([a-z][a-z0-9_]{0,39}):([^\0]{1,200})")


class RangeDocument(TypedDict, total=False):
    """Range as JSON: `value`, or one or both bounds."""

    name: str
    value: float | str
    least: float
    most: float


@dataclass(frozen=True, order=True)
class ParameterRange:
    """Parameter with one `value`, or from `least` to `most`, inclusive; sizes in bytes."""

    name: str
    value: str = ""
    least: float = -math.inf
    most: float = math.inf

    @classmethod
    def read(cls, text: str) -> ParameterRange:
        """Parse a range. Raises: ValueError with a message for users."""
        result = _TEXT.fullmatch(narrow(text).strip())
        if result is None:
            raise ValueError(_("Write parameters as iodepth:1..32, bs:4k or rw:randread."))
        name, value = result.groups()
        if ".." not in value:
            return cls(name, _canonical_value(value.strip()))
        least, most = (part.strip() for part in value.split("..", 1))
        return cls(name, "", _parse_bound(least, -math.inf), _parse_bound(most, math.inf))

    def __str__(self) -> str:
        if self.value:
            return f"{self.name}:{self.value}"
        ends = ("" if math.isinf(one) else _number_text(one) for one in (self.least, self.most))
        return f"{self.name}:{'..'.join(ends)}"

    def document(self) -> RangeDocument:
        """Return the range as JSON."""
        if self.value:
            number = _parse_number(self.value)
            return {"name": self.name, "value": self.value if number is None else number}
        result: RangeDocument = {"name": self.name}
        if not math.isinf(self.least):
            result["least"] = self.least
        if not math.isinf(self.most):
            result["most"] = self.most
        return result

    def condition(self, own: str) -> Q:
        """Return the condition on workloads; `own`: the annotation of the parameter."""
        if not self.value:
            least, most = max(self.least, -MAX_BOUND), min(self.most, MAX_BOUND)
            return Q(**{f"{own}__gte": least, f"{own}__lte": most})
        result = Q(**{own: self.value})
        number = _parse_number(self.value)
        if number is not None:
            result |= Q(**{own: number})
        if self.value in ("true", "false"):
            result |= Q(**{own: self.value == "true"})
        return result


def workloads_within(ranges: Iterable[ParameterRange]) -> QuerySet[Workload]:
    """Return workloads that have every named parameter within one of its ranges."""
    rows = Workload.objects.order_by()
    for name, of_name in groupby(sorted(ranges), key=lambda one: one.name):
        condition = Q()
        for one in of_name:
            condition |= one.condition(f"own_{name}")
        rows = rows.alias(**{f"own_{name}": KeyTransform(name, "params")}).filter(condition)
    return rows


def _parse_bound(text: str, without: float) -> float:
    if not text:
        return without
    number = _parse_number(text)
    if number is None:
        raise ValueError(_("Write parameters as iodepth:1..32, bs:4k or rw:randread."))
    return number


def _parse_number(text: str) -> float | None:
    """Return a number or size; None for other text."""
    try:
        result = float(text)
    except ValueError:
        try:
            return float(parse_size(text))
        except ValueError:
            return None
    return result if abs(result) <= MAX_BOUND else None


def _canonical_value(text: str) -> str:
    number = _parse_number(text)
    return text if number is None else _number_text(number)


def _number_text(number: float) -> str:
    return str(int(number)) if number.is_integer() else repr(number)

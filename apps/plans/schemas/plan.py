"""What the author of a test plan decides, as the plan and each of its runs store it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec
from django.utils.translation import gettext_lazy as _

from apps.common.stored.contracts import Contract
from apps.plans.schemas.expectations import Expectations
from apps.plans.schemas.preconditioning import NOTHING, Preconditioning
from apps.plans.schemas.steady_state import NO_ROUNDS, SteadyStateRule
from apps.plans.schemas.stopping import PrecisionLimits
from apps.tools.values import RawValue

MAX_REPEATS = 100
Order = Literal["listed", "interleaved"]
LISTED: Order = "listed"
INTERLEAVED: Order = "interleaved"
ORDERS = [(LISTED, _("as listed")), (INTERLEAVED, _("interleaved in random blocks"))]
Unavailable = Literal["fail", "run_untuned"]
FAIL: Unavailable = "fail"
RUN_UNTUNED: Unavailable = "run_untuned"
UNAVAILABLE = [
    (FAIL, _("refuse the test")),
    (RUN_UNTUNED, _("run untuned and record it as untuned")),
]
Repeats = Annotated[int, msgspec.Meta(ge=1, le=MAX_REPEATS)]


class StepSpec(msgspec.Struct, frozen=True):
    """One tool with raw parameters; a parameter with a list of values is a sweep."""

    tool: str
    params: Mapping[str, RawValue] = {}
    name: str = ""
    expectations: Expectations = ()


class PlanSpec(msgspec.Struct, frozen=True):
    """The plan without its name, targets and tuning profiles, which are rows.

    `on_tuning_unavailable`: what happens to a test whose tuning profile cannot be applied.
    `steady_state` replaces `repeats`. `stopping_rule` adds blocks until every
    interval is narrow enough.
    `load_search_parameter`: the load parameter whose largest value that meets the expectations is
    searched, for at most `load_search_max_hours`.
    """

    steps: tuple[StepSpec, ...] = ()
    repeats: Repeats = 6
    order: Order = "interleaved"
    on_tuning_unavailable: Unavailable = "fail"
    preconditioning: Preconditioning = NOTHING
    steady_state: SteadyStateRule = NO_ROUNDS
    stopping_rule: PrecisionLimits | None = None
    load_search_parameter: str = ""
    load_search_max_hours: float | None = None

    @property
    def planned_repeats(self) -> int:
        """Repeats of the cases that the launch makes: with rounds it makes the first round."""
        return 1 if self.steady_state else self.repeats

    @property
    def planned_order(self) -> Order:
        return "interleaved" if self.steady_state else self.order

    @property
    def order_label(self) -> str:
        return str(dict(ORDERS)[self.planned_order])

    @property
    def on_tuning_unavailable_label(self) -> str:
        return str(dict(UNAVAILABLE)[self.on_tuning_unavailable])


EMPTY = PlanSpec()
PLAN_SPEC: Contract[PlanSpec] = Contract(PlanSpec)
FIELD = re.compile(r" - at `\$\.([a-z_]+)")


def spec_fault(spec: PlanSpec) -> tuple[str, str] | None:
    """Return the field that has a value outside its type or bounds, with the reason."""
    try:
        msgspec.convert(msgspec.to_builtins(spec), PlanSpec)
    except msgspec.ValidationError as error:
        field = FIELD.search(str(error))
        return (field[1] if field else "steps"), str(error)
    return None

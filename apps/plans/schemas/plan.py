"""The specification of a test plan, stored by the plan and by each of its runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, get_args

import msgspec
from django.utils.translation import gettext
from msgspec import Meta

from apps.common.schemas.versioned_json import VersionedSchema
from apps.plans.schemas.disturbance import NO_DISTURBANCE, Disturbance
from apps.plans.schemas.expectations import Expectations
from apps.plans.schemas.preconditioning import NOTHING, Preconditioning
from apps.plans.schemas.steady_state import NO_ROUNDS, SteadyStateRule
from apps.plans.schemas.stopping import Hours, PrecisionLimits
from apps.stats.repeats import RECOMMENDED_REPEATS
from apps.tools.fields import Field
from apps.tools.translation import gettext_noop as _
from apps.tools.values import RawValue

Order = Literal["listed", "interleaved"]
LISTED: Order = "listed"
INTERLEAVED: Order = "interleaved"
Unavailable = Literal["fail", "run_untuned"]
FAIL: Unavailable = "fail"
RUN_UNTUNED: Unavailable = "run_untuned"

MAX_REPEATS = 100
REPEATS = Field(
    "int",
    _("Repeats"),
    _(
        "How often each test is done. More repeats show smaller differences; the preview warns of "
        "too few."
    ),
)
ORDER = Field(
    "choice",
    _("Order"),
    _(
        "Interleaved: blocks have each tuning several times in random order, so that drift "
        "over hours does not look like a tuning."
    ),
    choices=get_args(Order),
    labels=(_("as listed"), _("interleaved in random blocks")),
)
ON_TUNING_UNAVAILABLE = Field(
    "choice",
    _("If a tuning profile cannot be applied"),
    _(
        "Such as the queue of a disk below a file system in memory. A result is never filed "
        "under a tuning that was not in force."
    ),
    choices=get_args(Unavailable),
    labels=(_("refuse the test"), _("run untuned and record it as untuned")),
    optional=True,
)
STOPPING_RULE = Field("group", _("Repeats until the result is clear"))
LOAD_SEARCH_PARAMETER = Field(
    "choice",
    _("Largest load at which the expectations hold"),
    _(
        "Begins with the values that a step lists of it, and measures between the largest that "
        "keeps what the step expects and the smallest that does not."
    ),
    group="stopping_rule",
    optional=True,
)
LOAD_SEARCH_HOURS = Field("number", _("Hours of the search at most"), optional=True)
PRECONDITIONING = Field(
    "group",
    _("Preparation of the disks"),
    _(
        "An SSD measured as it comes from its box is faster than it will ever be again. What is "
        "chosen here is done to each disk of the plan before the first test; it destroys what is "
        "on it."
    ),
)
STEADY_STATE = Field(
    "group",
    _("Rounds until steady state"),
    _(
        "Instead of repeats: every test once a round, until the tracked figure is steady over five "
        "rounds (SNIA SSS PTS: within 20 %, its trend within 10 % of the average). Only those five "
        "are compared."
    ),
)
DISTURBANCE = Field(
    "group",
    _("Failure as a measurement"),
    _(
        "Something happens to the Ceph cluster or the md array while the load of each test runs. "
        "An admin has to allow that for a cluster, and somebody else approves each run."
    ),
)


StepRole = Literal["measured", "background"]
MEASURED: StepRole = "measured"
BACKGROUND: StepRole = "background"
SETTLE_SECONDS = 5.0
MAX_SETTLE_SECONDS = 3600.0


class StepSpec(msgspec.Struct, frozen=True):
    """One tool with raw parameters; a parameter with a list of values is a sweep.

    A background step loads `target` ("disk:12" as in the API; "": the target of the test) while
    each measured step runs, which starts `settle_seconds` after it.
    """

    tool: str
    params: Mapping[str, RawValue] = {}
    name: str = ""
    expectations: Expectations = ()
    role: StepRole = MEASURED
    target: str = ""
    settle_seconds: float = SETTLE_SECONDS

    @property
    def is_background(self) -> bool:
        return self.role == BACKGROUND


class PlanSpec(msgspec.Struct, frozen=True):
    """The plan without its name, targets and tuning profiles, which are rows.

    `on_tuning_unavailable`: what happens to a test whose tuning profile cannot be applied.
    `steady_state` replaces `repeats`. `stopping_rule` adds blocks until every
    interval is narrow enough.
    `load_search_parameter`: the load parameter whose largest value that meets the expectations is
    searched, for at most `load_search_max_hours`. `disturbance`: what happens during each test.
    """

    steps: tuple[StepSpec, ...] = ()
    repeats: Annotated[int, Meta(ge=1, le=MAX_REPEATS), REPEATS] = RECOMMENDED_REPEATS
    order: Annotated[Order, ORDER] = "interleaved"
    on_tuning_unavailable: Annotated[Unavailable, ON_TUNING_UNAVAILABLE] = "fail"
    stopping_rule: Annotated[PrecisionLimits | None, STOPPING_RULE] = None
    load_search_parameter: Annotated[str, Meta(max_length=40), LOAD_SEARCH_PARAMETER] = ""
    load_search_max_hours: Annotated[Hours | None, LOAD_SEARCH_HOURS] = None
    preconditioning: Annotated[Preconditioning, PRECONDITIONING] = NOTHING
    steady_state: Annotated[SteadyStateRule, STEADY_STATE] = NO_ROUNDS
    disturbance: Annotated[Disturbance, DISTURBANCE] = NO_DISTURBANCE

    @property
    def planned_repeats(self) -> int:
        """Return the repeats of cases created at launch; with rounds, one round."""
        return 1 if self.steady_state else self.repeats

    @property
    def planned_order(self) -> Order:
        return "interleaved" if self.steady_state else self.order

    @property
    def order_label(self) -> str:
        return gettext(dict(zip(ORDER.choices, ORDER.labels, strict=True))[self.planned_order])

    @property
    def on_tuning_unavailable_label(self) -> str:
        labels = zip(ON_TUNING_UNAVAILABLE.choices, ON_TUNING_UNAVAILABLE.labels, strict=True)
        return gettext(dict(labels)[self.on_tuning_unavailable])


EMPTY = PlanSpec()
PLAN_SPEC: VersionedSchema[PlanSpec] = VersionedSchema(PlanSpec)

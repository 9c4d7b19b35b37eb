"""The copy of a plan that each run keeps: what was to be measured, as it was at the launch.

Shown, told by the API and read for years; nothing is launched from it again.
"""

from __future__ import annotations

import msgspec

from apps.common.stored.contracts import Contract
from apps.plans.cases.until import UntilDecided
from apps.plans.expectations.contract import Expectation
from apps.plans.preparation.contract import Preparation
from apps.plans.rounds import Rounds
from apps.tools.base import PoolPlan
from apps.tools.values import RawValue
from apps.tuning.contract import Settings


class CopiedStep(msgspec.Struct):
    """A step as it was written: a parameter may be a list, which is a sweep. Before version 2 a
    step said nothing of what was expected.
    """

    name: str = ""
    tool: str = ""
    params: dict[str, RawValue] = {}
    expectations: list[Expectation] = []


class CopiedHost(msgspec.Struct):
    """A host as it was called."""

    id: int
    name: str


class CopiedPart(msgspec.Struct):
    """A member of a target; as `plans.targets.PlannedMember`."""

    role: str = ""
    kind: str = ""
    id: int | None = None
    identity: str = ""
    label: str = ""
    size: int | None = None
    host: str = ""
    make: PoolPlan | None = None


class CopiedTarget(msgspec.Struct):
    """A target; as `plans.targets.PlannedTarget`."""

    kind: str = ""
    id: int | None = None
    identity: str = ""
    label: str = ""
    size: int | None = None
    host: CopiedHost | None = None
    hosts: list[CopiedHost] = []
    members: list[CopiedPart] = []

    @property
    def all_hosts(self) -> list[CopiedHost]:
        """Every host that takes part; the first copies named only the one."""
        return self.hosts or ([self.host] if self.host else [])


class CopiedTuning(msgspec.Struct):
    """A tuning with its settings; `settle` in seconds."""

    id: int | None = None
    name: str = ""
    settings: Settings = ()
    settle: float = 0.0


class PlanCopy(msgspec.Struct):
    """A whole plan. Of results that were imported nothing is planned: all of it is empty. Before
    version 3 there was no preparation, before version 4 there were no rounds.

    `baseline`: the name of the tuning that the others are compared with; empty before version 5.
    `until`: its blocks are the first ones, more are added until every comparison is decided.
    `saturates`: the parameter of which the largest value is looked for at which the steps'
    expectations hold, for at most `saturates_hours`.
    """

    id: int | None = None
    name: str = ""
    description: str = ""
    repeats: int | None = None
    order: str = ""
    unapplied: str = "refuse"
    seed: int | None = None
    until: UntilDecided | None = None
    saturates: str = ""
    saturates_hours: float | None = None
    steps: list[CopiedStep] = []
    targets: list[CopiedTarget] = []
    tunings: list[CopiedTuning] = []
    baseline: str = ""
    preparation: Preparation = msgspec.field(default_factory=Preparation)
    rounds: Rounds = msgspec.field(default_factory=Rounds)


STORED: Contract[PlanCopy] = Contract(PlanCopy)

"""Built-in plans and starter workloads of a plugin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from apps.tools.values import Parameters, RawValue


@dataclass(frozen=True)
class TemplateStep:
    """Step of a built-in plan with raw parameters.

    `space`: bytes of the target it uses unless the user chooses fewer; None for the whole target.
    """

    name: str
    params: Mapping[str, RawValue]
    space: int | None


@dataclass(frozen=True)
class PlanTemplate:
    """Built-in plan without targets.

    - `space`, `time`: names of the parameters with a step's bytes and seconds.
    - `seconds`: duration of each test; None if the user of the plan sets it.
    - `repeats`: repeats of each test; None for the default of plans.
    - `preconditioning`, `steady_state`: values of these fields of the plan's specification.
    """

    name: str
    description: str
    steps: tuple[TemplateStep, ...]
    space: str = "size"
    time: str = "runtime"
    target: LoadTarget = "disk"
    seconds: int | None = None
    repeats: int | None = None
    preconditioning: Parameters = field(default_factory=dict)
    steady_state: Parameters = field(default_factory=dict)


LoadTarget = Literal["disk", "pool"]


@dataclass(frozen=True)
class PlanLoad:
    """Starter workload of a new plan for a disk or a pool: raw parameters of one test.

    - `reads`: it needs data that was written before.
    - `depth`: name of the parameter for operations in flight.
    - `space`, `time`: as in PlanTemplate; `space` is empty if the tool has no such parameter.
    - `ramp`: name of the parameter for the seconds before the measurement; empty if there is none.
    - `target`: the kind of target.
    """

    name: str
    params: Mapping[str, RawValue]
    reads: bool
    depth: str
    space: str = "size"
    time: str = "runtime"
    target: LoadTarget = "disk"
    ramp: str = ""

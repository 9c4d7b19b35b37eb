"""Plans to start from: what a tool's plugin says of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from apps.tools.values import Parameters, RawValue


@dataclass(frozen=True)
class TemplateStep:
    """A step of a built-in plan: what it measures, and raw parameters. `space`: the part of a
    target it works on when nothing smaller is asked for, in bytes; None for the whole.
    """

    name: str
    params: Mapping[str, RawValue]
    space: int | None


@dataclass(frozen=True)
class PlanTemplate:
    """A plan to start from, without targets. `space` and `time` name the parameters that take a
    step's bytes and seconds; `seconds`: how long each test takes by itself, None where the plan's
    author says. `repeats`: how often each test is done.
    `preconditioning` and `steady_state`: members of those fields of a plan's specification.
    """

    name: str
    description: str
    steps: tuple[TemplateStep, ...]
    space: str = "size"
    time: str = "runtime"
    target: LoadTarget = "disk"
    seconds: int | None = None
    repeats: int = 6
    preconditioning: Parameters = field(default_factory=dict)
    steady_state: Parameters = field(default_factory=dict)


LoadTarget = Literal["disk", "pool"]


@dataclass(frozen=True)
class PlanLoad:
    """A load that plans begun at a disk or a pool offer: raw parameters of one test. `reads`: it
    needs data that was written before. `depth`: the parameter of its operations in flight; `space`
    and `time` as in PlanTemplate, `space` empty where the tool has none. `target`: what it is for.
    """

    name: str
    params: Mapping[str, RawValue]
    reads: bool
    depth: str
    space: str = "size"
    time: str = "runtime"
    target: LoadTarget = "disk"

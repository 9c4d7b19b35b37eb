"""The base of every plugin's parameters (apps.tools.fields.Params)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Self

from apps.tools.values import Parameters

from .errors import ParamsError
from .fields import Field, Part
from .params import build
from .workloads.naming import joined


@dataclass(frozen=True)
class PluginParams:
    """A plugin's frozen dataclass is one of these. `table` describes each of its fields; `later`
    holds the defaults of parameters that the plugin did not have from the beginning: while one has
    its default it is no part of a workload's identity, so that keys stay what they were. A plugin
    with hundreds of parameters has a field `more`: pairs of those that are set and have no field.
    """

    table: ClassVar[Mapping[str, Field]]
    later: ClassVar[Parameters] = {}

    @classmethod
    def fields(cls) -> Mapping[str, Field]:
        """The parameters a plan may set, in the order a form shows them."""
        return cls.table

    @classmethod
    def from_raw(cls, raw: Mapping[str, Any]) -> Self:
        """One point from what a person or script wrote. Raises ParamsError with a sentence per
        parameter.
        """
        params = build(cls, cls.table, raw)
        errors = params.contradictions()
        if errors:
            raise ParamsError(errors)
        return params

    def canonical(self) -> Parameters:
        """Every parameter, defaults included, in bytes, seconds, counts and flags."""
        values = asdict(self)
        more: Parameters = dict(values.pop("more", ()))
        own = {name: value for name, value in values.items() if value != self.later.get(name, ...)}
        return own | more

    @classmethod
    def parts_of(cls, known: Parameters) -> tuple[Part, ...]:
        """The parts of the label of a test of which so much is known: never a default that nobody
        stated. Empty where a tool labels only tests of which everything is known (`parts`).
        """
        return ()

    def parts(self) -> tuple[Part, ...]:
        """The parts of a test's label, parameter by parameter."""
        return self.parts_of(self.canonical())

    def describe(self) -> str:
        """A short label for people."""
        return joined(self.parts())

    def contradictions(self) -> dict[str, str]:
        """Parameters that do not go together: name -> sentence. Raises PointError for what a sweep
        may leave out.
        """
        return {}

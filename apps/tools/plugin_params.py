"""Base class of every plugin's parameters (apps.tools.fields.Params)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Self

from apps.tools.values import Parameters
from apps.tools.workload_naming import joined

from .errors import ParamsError
from .fields import Field, Part
from .params import build


@dataclass(frozen=True)
class PluginParams:
    """Base of a plugin's frozen dataclass of parameters.

    `table` defines each field. `later` has the defaults of parameters that were added after the
    first version: a parameter at its default is not in the workload's identity, so keys stay valid.
    A plugin with hundreds of parameters has a field `more`: pairs of the parameters with a value
    and no field.
    """

    table: ClassVar[Mapping[str, Field]]
    later: ClassVar[Parameters] = {}

    @classmethod
    def fields(cls) -> Mapping[str, Field]:
        """Return the parameters of a plan in the order of a form."""
        return cls.table

    @classmethod
    def from_raw(cls, raw: Mapping[str, Any]) -> Self:
        """Build one point from values of a user or a script.

        Raises: ParamsError with a sentence per parameter.
        """
        params = build(cls, cls.table, raw)
        errors = params.contradictions()
        if errors:
            raise ParamsError(errors)
        return params

    def canonical(self) -> Parameters:
        """Return every parameter, defaults included, in bytes, seconds, counts and flags."""
        values = asdict(self)
        more: Parameters = dict(values.pop("more", ()))
        values_without_defaults = {
            name: value for name, value in values.items() if value != self.later.get(name, ...)
        }
        return values_without_defaults | more

    @classmethod
    def parts_of(cls, known: Parameters) -> tuple[Part, ...]:
        """Return the parts of the label for these parameters, without defaults.

        Empty for a tool that labels only tests with complete parameters (`parts`).
        """
        return ()

    def parts(self) -> tuple[Part, ...]:
        """Return the parts of a test's label, parameter by parameter."""
        return self.parts_of(self.canonical())

    def describe(self) -> str:
        """Return a short label."""
        return joined(self.parts())

    def contradictions(self) -> dict[str, str]:
        """Return parameters that contradict each other: name -> sentence.

        Raises: PointError for values that a sweep may leave out.
        """
        return {}

"""Fields, labels and the Params interface of a tool's parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol

from apps.tools.values import Parameters

from .translation import gettext_noop

Role = Literal["operation", "block", "depth", "jobs", "rate", "size", "time"]
"""The meaning of a parameter, independent of its name in the tool.

operation: the kind of I/O; block: bytes per operation; depth: operations in flight; jobs: parallel
processes or threads; rate: limit of operations/s; size: bytes of the tested range; time: seconds.
"""
CONCURRENCY: frozenset[Role] = frozenset({"depth", "jobs"})
LOAD: frozenset[Role] = CONCURRENCY | {"rate"}


@dataclass(frozen=True)
class Field:
    """Definition of one parameter, for forms, the API schema and the documentation.

    - `kind`: "size" and "duration" accept suffixes (4k, 1G; 30s, 5m) and are stored in bytes and
      seconds; "choice" accepts one of `choices`; "name" is `[A-Za-z0-9_-]{1,32}`; "text" matches
      the regular expression `pattern` and may contain commas. Stored structs
      (apps.common.schemas.struct_fields) also have "number" (a float) and "group" (a nested
      struct).
    - `labels`: labels of the choices in the same order; empty if the choices are shown themselves.
    - `group`: the heading in a form; in a stored struct the name of the nested struct.
    - `role`: its meaning to pages and checks that are independent of tools.
    - `advanced`: a form hides it until a search matches it or it has a value.
    - `example`: a valid value of kind "text", used in error messages.
    - `empty_label`: text shown for an empty value, such as "the whole disk".
    """

    kind: Literal[
        "int", "number", "size", "duration", "choice", "flag", "name", "cpus", "text", "group"
    ]
    label: str
    help: str = ""
    choices: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    unit: str = ""
    group: str = gettext_noop("Basics")
    optional: bool = False
    role: Role | None = None
    advanced: bool = False
    pattern: str = ""
    example: str = ""
    empty_label: str = ""

    @property
    def holds_commas(self) -> bool:
        """Return True if a value may contain commas; semicolons then separate several values."""
        return self.kind in ("cpus", "text")


@dataclass(frozen=True)
class Part:
    """One parameter in the label of a workload.

    - `value`: the canonical value (bytes, seconds, counts).
    - `text`: the value with its unit: "4 KiB", "QD 64", "2 jobs".
    - `close`: no comma separates it from the part before it.
    """

    name: str
    value: Any
    text: str
    close: bool = False


class Params(Protocol):
    """Interface of the frozen dataclass in `<plugin>/params.py`: one point of a parameter sweep.

    All values are canonical. `later`: parameters that were added after the first version, with the
    defaults at which they are left out of the identity.
    """

    later: ClassVar[Parameters]

    @classmethod
    def fields(cls) -> Mapping[str, Field]:
        """Return the parameters of a plan in the order of a form."""

    @classmethod
    def from_raw(cls, raw: Mapping[str, Any]) -> Params:
        """Build one point from values of a user or a script ("4k", "128", 300).

        Raises: ParamsError.
        """

    def canonical(self) -> Parameters:
        """Return the identity of the workload.

        It contains every parameter that changes the measurement, defaults included, in canonical
        units.
        """

    def describe(self) -> str:
        """Return a short label, such as "random write 4 KiB, QD 128"."""

    def parts(self) -> tuple[Part, ...]:
        """Return the parts of the label, parameter by parameter."""

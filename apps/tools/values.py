"""Types of parameters and values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Scalar = bool | int | float | str | None
"""One value of a parameter, in canonical units."""

RawValue = Scalar | Sequence[Scalar]
"""A value as written by a plan's author: one value, or a list of them for a sweep."""

RawParameters = dict[str, RawValue]
"""Parameters by name as written by a plan's author."""

Figure = Scalar | Sequence["Figure"] | Mapping[str, "Figure"]
"""A further value in a tool's output: numbers, and lists and tables of them."""

Parameters = dict[str, Scalar]
"""A workload's parameters by name."""

Values = dict[str, Figure]
"""Further values of a measurement, by name."""

Decoded = dict[str, object]
"""An object of a tool's output; its values are validated before use."""

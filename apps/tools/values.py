"""Types of parameters and figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Scalar = bool | int | float | str | None
"""One value of a parameter, in canonical units."""

RawValue = Scalar | Sequence[Scalar]
"""A value as a plan's author wrote it: one value, or a list of them for a sweep."""

RawParameters = dict[str, RawValue]
"""Parameters by name as a plan's author wrote them."""

Figure = Scalar | Sequence["Figure"] | Mapping[str, "Figure"]
"""A figure a tool says beside its measurements: numbers, and lists and tables of them."""

Parameters = dict[str, Scalar]
"""A workload's parameters by name."""

Values = dict[str, Figure]
"""Further figures of a measurement, by name."""

Decoded = dict[str, object]
"""An object of a tool's own output: whatever it holds is looked at before it is used."""

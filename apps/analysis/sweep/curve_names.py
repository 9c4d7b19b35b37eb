"""Names of the curves of one chart: common parts are in the title only. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from apps.analysis.sweep.curve import Curve
from apps.common.domain.messages import localize_message
from apps.plans.domain.workload_labels import Labelled, extra_part, parts_of
from apps.tools.fields import Part
from apps.tools.workload_naming import joined
from apps.tools.workloads.varying import differing


@dataclass(frozen=True)
class CurveNames:
    """Names of the curves of one chart.

    `common`: the title; `lines`: a name per curve; `subjects`: workload, target and level of each
    curve for a sentence.
    """

    common: str
    lines: tuple[str, ...]
    subjects: tuple[str, ...]


def curve_names(curves: Sequence[Curve], x: str, operation: str) -> CurveNames:
    """Return names without `x`, the parameter of the x axis."""
    parts = [_parts(curve, curves, x) for curve in curves]
    shared = [part for part in parts[0] if all(part in others for others in parts)] if parts else []
    tools = {curve.first.tool for curve in curves}
    levels = {curve.level for curve in curves}
    targets = {curve.where for curve in curves}
    lines = []
    for curve, own in zip(curves, parts, strict=True):
        names = [
            curve.first.tool if len(tools) > 1 else "",
            curve.level if len(levels) > 1 else "",
            curve.where if len(targets) > 1 else "",
            joined((part for part in own if part not in shared), localize_message),
        ]
        lines.append(" · ".join(word for word in names if word) or curve.level or operation)
    common = [
        *(tools if len(tools) == 1 else ()),
        joined(shared, localize_message),
        operation,
        *(targets if len(targets) == 1 else ()),
        *(levels if len(levels) == 1 else ()),
    ]
    subjects = tuple(
        _subject(curve, own, level=len(levels) > 1)
        for curve, own in zip(curves, parts, strict=True)
    )
    title = " · ".join(dict.fromkeys(word for word in common if word))
    return CurveNames(title, tuple(lines), subjects)


def _subject(curve: Curve, parts: Sequence[Part], *, level: bool) -> str:
    workload, where = (
        joined(parts, localize_message) or curve.first.tool,
        curve.where.replace(" · ", " "),
    )
    named = _("{workload} on {target}").format(workload=workload, target=where)
    return f"{named}, {curve.level}" if level and curve.level != where else named


def _parts(curve: Curve, curves: Sequence[Curve], x: str) -> list[Part]:
    """Return the tool's label of a curve's workload, and the parameters in which curves differ."""
    first = curve.first
    params = {name: value for name, value in first.params.items() if name != x}
    names = [p for p in parts_of(Labelled(first.tool, first.params, "")) if p.name != x]
    more = differing((each.first.params for each in curves), {x, *(part.name for part in names)})
    return [*names, *(extra_part(first.tool, name, params.get(name)) for name in more)]

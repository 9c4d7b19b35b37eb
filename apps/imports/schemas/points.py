"""Points of a file as stored in its row.

Plain Python, for processes that parse without loading Django.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from apps.tools.messages import TranslatableMessage
from apps.tools.values import Scalar


class OperationValues(msgspec.Struct, frozen=True):
    """Headline values of one operation: bytes/s, operations/s, ns; None if not reported."""

    operation: str
    component: str = ""
    bandwidth: float | None = None
    iops: float | None = None
    latency_mean: float | None = None


class MonitoredTest(msgspec.Struct, frozen=True):
    """Test that ran while a device was recorded.

    `number`: its file; `index`: its point there; `label`: tool and label; `line`: its first line in
    the text; `key`: the key of its workload.
    """

    number: int
    index: int
    label: str
    line: int
    key: str = ""


class PreviewPoint(msgspec.Struct, frozen=True):
    """Point of a file (workloads.points.Point) that becomes a case, in canonical units.

    `target`: suggested by the output or its command; `tuning`: suggested by the heading above.
    `lines`: first and last line of the output in the submitted text. `same_as`: index of the
    earlier point with the same output. `run_options`: job options; `command_line`: line of the
    command in the text that gives them, 0 if none. `warnings`: remarks about this result only.
    """

    key: str
    label: str
    params: dict[str, Scalar]
    exact: bool = True
    occurrence: int = 0
    measurements: tuple[OperationValues, ...] = ()
    call: int = 1
    target: str = ""
    tuning: str = ""
    completeness: str = ""
    warnings: tuple[TranslatableMessage, ...] = ()
    lines: tuple[int, int] | None = None
    same_as: int | None = None
    run_options: dict[str, Scalar] = {}
    command_line: int = 0
    beside: MonitoredTest | None = None


class PointProposal(msgspec.Struct, frozen=True, omit_defaults=True):
    """Fields of a point that decide its names and whether it is stored."""

    target: str = ""
    tuning: str = ""
    same_as: int | None = None


def proposals_of(points: Sequence[PreviewPoint]) -> tuple[PointProposal, ...]:
    """Return the suggestions of each point; () if all are empty."""
    proposals = tuple(PointProposal(each.target, each.tuning, each.same_as) for each in points)
    return proposals if set(proposals) - {PointProposal()} else ()

"""Points of a file as its row keeps them. Plain Python, for processes that read before Django is
loaded.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from apps.tools.messages import TranslatableMessage
from apps.tools.values import Scalar


class FoundFigures(msgspec.Struct, frozen=True):
    """One operation's headline figures: bytes/s, operations/s, ns; None where nothing says."""

    operation: str
    part: str = ""
    bandwidth: float | None = None
    iops: float | None = None
    latency_mean: float | None = None


class MonitoredTest(msgspec.Struct, frozen=True):
    """The test that a recording of devices stands beside: the number of its file, the index of its
    point there, its tool and label, its first line in the text, and the key of its workload.
    """

    number: int
    index: int
    label: str
    line: int
    key: str = ""


class FoundPoint(msgspec.Struct, frozen=True):
    """A point of a file (workloads.points.Point), which becomes a case: canonical units.

    `target` and `tuning` are proposals: what the output or its command names, and the heading above
    it. `lines`: the first and last line of the output in the text that was sent. `same_as`: the
    index of the earlier point whose output is printed once more. `run_options`: job options;
    `command_line` the line of the command in the text that states them (0: none does). `warnings`:
    the remarks about this result alone.
    """

    key: str
    label: str
    params: dict[str, Scalar]
    exact: bool = True
    occurrence: int = 0
    measurements: tuple[FoundFigures, ...] = ()
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
    """The members of a point that decide where it is stored, and whether it is."""

    target: str = ""
    tuning: str = ""
    same_as: int | None = None


def places_of(points: Sequence[FoundPoint]) -> tuple[PointProposal, ...]:
    """The place of each point; nothing where none differs from an empty one."""
    places = tuple(PointProposal(each.target, each.tuning, each.same_as) for each in points)
    return places if set(places) - {PointProposal()} else ()

"""Starter workloads of a pool."""

from __future__ import annotations

from collections.abc import Mapping

from apps.tools.plan_templates import PlanLoad
from apps.tools.translation import gettext_noop as _
from apps.tools.values import RawValue


def _load(name: str, params: Mapping[str, RawValue]) -> PlanLoad:
    """Build a workload. A test writes the objects that it reads, so it needs no existing data."""
    return PlanLoad(
        name, params, reads=False, depth="threads", space="", time="seconds", target="pool"
    )


LOADS: Mapping[str, PlanLoad] = {
    "large-objects": _load(
        _("Large objects (4 MiB): written, read in sequence and at random"),
        {"operations": "write+seq+rand", "bs": "4M", "threads": 16},
    ),
    "small-objects": _load(
        _("Small objects (4 KiB): written and read at random"),
        {"operations": "write+rand", "bs": "4k", "threads": 16},
    ),
}

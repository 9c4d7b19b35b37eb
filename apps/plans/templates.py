"""Built-in plans to start from. Each is a draft without targets: the author chooses those."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from .data import StepData
from .drafts import PlanDraft
from .errors import PlanError

STANDARD_FOUR = "standard-four"

_SMALL = {"bs": "4k", "iodepth": 128}
_LARGE = {"bs": "4M", "iodepth": 64}
# (mode, what it measures, parameters, address space in bytes): writes first, so that reads find
# data.
_FOUR = (
    ("randwrite", "IOPS, random write", _SMALL, 1024**3),
    ("randread", "IOPS, random read", _SMALL, 1024**3),
    ("write", "Throughput, write", _LARGE, 100 * 1024**3),
    ("read", "Throughput, read", _LARGE, 100 * 1024**3),
)


def template_draft(template: str, *, seconds: int = 300, space: int | None = None) -> PlanDraft:
    """The draft of a built-in template. `space` caps each test's address space, bytes. Raises
    PlanError.
    """
    if template != STANDARD_FOUR:
        raise PlanError(_("There is no template {}.").format(template), status=404)
    return PlanDraft(
        name=_("Standard four tests"),
        description=_(
            "Random write and read at 4 KiB for IOPS, "
            "sequential write and read at 4 MiB for throughput."
        ),
        steps=[_step(*row, seconds=seconds, space=space) for row in _FOUR],
    )


def _step(
    mode: str, name: str, params: Mapping[str, Any], size: int, *, seconds: int, space: int | None
) -> StepData:
    chosen = min(size, space) if space else size
    return StepData("fio", {"rw": mode, **params, "size": chosen, "runtime": seconds}, name)

"""A test of an image in a Ceph pool, which fio's engine rbd reaches through librbd (fio(1))."""

from __future__ import annotations

from collections.abc import Mapping

from apps.tools.messages import message
from apps.tools.pools import images, making, questions
from apps.tools.procedure import Command
from apps.tools.sweep import sweep
from apps.tools.targets import TargetKind, ToolTarget
from apps.tools.words import gettext_noop

from .params import FioParams

ENGINE = "rbd"
MAIN_ACT = 3


def place(target: ToolTarget) -> tuple[str, ...]:
    """The image, as fio names it; it takes an engine's own options behind the engine alone."""
    return (f"--ioengine={ENGINE}", f"--pool={target.identity}", f"--rbdname={images.IMAGE}")


def errors(params: FioParams, target: ToolTarget) -> dict[str, str]:
    """Parameters that a pool does not fit: name -> sentence."""
    images.refuse_pool(target, "fio")
    if params.ioengine != ENGINE:
        return {"ioengine": message("A pool has no device node: fio needs its engine rbd there.")}
    if params.size is None:
        words = gettext_noop("A pool needs a size: how large the image is that is made for it.")
        return {"size": message(words)}
    return {}


def image_size(params: FioParams) -> int:
    """Bytes of the image that all jobs work on: whole MiB."""
    last = params.offset + params.number("offset_increment") * (params.numjobs - 1)
    return -(-(last + (params.size or 0)) // images.MIB) * images.MIB


def commands(
    params: FioParams, target: ToolTarget, test: Command, *, filled: bool
) -> tuple[Command, ...]:
    """The test with what comes before and after it; `filled`: the image is written first."""
    pool, size = target.identity, image_size(params)
    return (
        *making.make(target),
        *questions.before(0, pool, "rbd"),
        # Several jobs that write to one image would pass its lock on for every operation.
        images.make(pool, size, act=1, shared=params.numjobs > 1),
        *(images.fill(pool, size, 2, "1/2:") if filled else ()),
        test,
        questions.after(act=MAIN_ACT + 1),
        making.delete(target, MAIN_ACT + 2)
        if target.make
        else images.delete(pool, act=MAIN_ACT + 2),
    )


def seconds(target: ToolTarget) -> float:
    """Seconds of all that is around the test, without filling."""
    return making.making_seconds(target) + questions.ASKING + images.MAKING


def engine_elsewhere(kind: str, engine: str) -> dict[str, str]:
    """The engine rbd on what is no pool."""
    if engine != ENGINE or kind == "pool":
        return {}
    return {"ioengine": message("The engine rbd works on Ceph pools.")}


def targets_for(raw: Mapping[str, object]) -> tuple[TargetKind, ...]:
    """The kinds of targets that a step with these raw parameters can use: by its engines."""
    field = FioParams.table["ioengine"]
    asked = sweep({"ioengine": raw.get("ioengine", FioParams.ioengine)}, {"ioengine": field})
    engines = {str(point["ioengine"]) for point in asked}
    others: tuple[TargetKind, ...] = ("disk", "directory") if engines != {ENGINE} else ()
    return (*others, "pool") if ENGINE in engines else others

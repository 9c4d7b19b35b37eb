"""Tests of an image in a Ceph pool through librbd: fio's engine rbd (fio(1))."""

from __future__ import annotations

from collections.abc import Mapping

from apps.tools.messages import message
from apps.tools.pools import cluster_queries, image_commands, pool_commands
from apps.tools.procedure import Command
from apps.tools.sweep import sweep
from apps.tools.targets import TargetKind, ToolTarget
from apps.tools.translation import gettext_noop

from .params import FioParams

ENGINE = "rbd"
MAIN_STAGE = 3


def image_options(target: ToolTarget) -> tuple[str, ...]:
    """Return fio's options for the image; an engine's options must follow the engine."""
    return (
        f"--ioengine={ENGINE}",
        f"--pool={target.identity}",
        f"--rbdname={image_commands.IMAGE}",
    )


def errors(params: FioParams, target: ToolTarget) -> dict[str, str]:
    """Return parameters that do not fit a pool: name -> message."""
    image_commands.refuse_pool(target, "fio")
    if params.ioengine != ENGINE:
        return {"ioengine": message("A pool has no device node: fio needs its engine rbd there.")}
    if params.size is None:
        text = gettext_noop("A pool needs a size: how large the image is that is made for it.")
        return {"size": message(text)}
    return {}


def image_size(params: FioParams) -> int:
    """Return the bytes of the image that all jobs use: whole MiB."""
    last = params.offset + params.number("offset_increment") * (params.numjobs - 1)
    return -(-(last + (params.size or 0)) // image_commands.MIB) * image_commands.MIB


def commands(
    params: FioParams, target: ToolTarget, test: Command, *, filled: bool
) -> tuple[Command, ...]:
    """Return the test with the commands before and after it; `filled`: fill the image first."""
    pool, size = target.identity, image_size(params)
    return (
        *pool_commands.make(target),
        *cluster_queries.before(0, pool, "rbd"),
        # Otherwise several writing jobs pass the image's exclusive lock on for every operation.
        image_commands.make(pool, size, stage=1, shared=params.numjobs > 1),
        *(image_commands.fill(pool, size, 2, "1/2:") if filled else ()),
        test,
        cluster_queries.after(stage=MAIN_STAGE + 1),
        pool_commands.delete(target, MAIN_STAGE + 2)
        if target.make
        else image_commands.delete(pool, stage=MAIN_STAGE + 2),
    )


def seconds(target: ToolTarget) -> float:
    """Return the seconds of all commands around the test, without filling."""
    return pool_commands.making_seconds(target) + cluster_queries.ASKING + image_commands.MAKING


def engine_elsewhere(kind: str, engine: str) -> dict[str, str]:
    """Return an error for the engine rbd on a target that is not a pool."""
    if engine != ENGINE or kind == "pool":
        return {}
    return {"ioengine": message("The engine rbd works on Ceph pools.")}


def targets_for(raw: Mapping[str, object]) -> tuple[TargetKind, ...]:
    """Return the kinds of targets that a step with these raw parameters can use, by its engines."""
    field = FioParams.table["ioengine"]
    points = sweep({"ioengine": raw.get("ioengine", FioParams.ioengine)}, {"ioengine": field})
    engines = {str(point["ioengine"]) for point in points}
    others: tuple[TargetKind, ...] = ("disk", "directory") if engines != {ENGINE} else ()
    return (*others, "pool") if ENGINE in engines else others

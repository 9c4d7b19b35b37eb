"""Parameters and target -> the commands of a test, act by act; every option is written here.

Everything a test writes lies in a namespace of its own in the pool (rados(8), -N): what else is in
the pool can neither be read nor be removed by it. rados finds no run again that was ended while it
wrote, and then removes by the beginning of the objects' names, its own and everybody else's;
within the namespace all of them are ours.
"""

from __future__ import annotations

from apps.tools.errors import ParamsError
from apps.tools.messages import message
from apps.tools.pools import making, questions
from apps.tools.procedure import Command, Procedure
from apps.tools.targets import ToolTarget

from .params import RadosParams

NAMESPACE = "benchlab-{attempt}"
# What rados bench begins every object's name with (ceph: obj_bencher.cc). The object that tells
# reading what was written begins so as well, so that one clean-up removes all.
PREFIX = "benchmark_data"
RUN = f"{PREFIX}_benchlab-{{attempt}}-{{client}}"
# Seconds that removing may take: so much at least, and so many times as long as writing took.
REMOVING, REMOVING_FACTOR = 120.0, 4.0


def procedure(params: RadosParams, target: ToolTarget) -> Procedure:
    """The commands for one case. Raises ParamsError where this is no pool."""
    if target.kind != "pool":
        raise ParamsError({"tool": message("rados bench works on Ceph pools.")})
    steps = params.steps
    written = (params.object_size or params.bs) * (params.max_objects or 0)
    return Procedure(
        commands=(
            *making.make(target),
            *questions.before(0, target.identity),
            *(each for step in steps for each in _measure(params, target.identity, step)),
            questions.after(act=len(steps) + 1),
            # An act of its own: only what is tidied alone is tidied whatever happened.
            *_tidy(params, target, act=len(steps) + 2),
        ),
        seconds=making.making_seconds(target)
        + questions.ASKING
        + sum(params.lasts(step) for step in steps),
        writes=True,
        bytes_written=written or None,
    )


def _measure(params: RadosParams, pool: str, step: str) -> tuple[Command, Command]:
    """The operation, and before it a line that says which: rados itself does not say what it
    reads.
    """
    act = params.steps.index(step) + 1
    argv = ("rados", "-p", pool, "-N", NAMESPACE, "bench", *_options(params, step))
    said = ("echo", f"{act}/{len(params.steps)}:", *argv)
    fills = pool if step == "write" else ""
    return Command(f"announce-{step}", said, act=act), Command(step, argv, act=act, fills=fills)


def _options(params: RadosParams, step: str) -> tuple[str, ...]:
    """Rados bench's options in a fixed order; sizes are said to the writer only."""
    chosen = [str(params.lasts(step)), step, "-t", str(params.threads), "--run-name", RUN]
    if step == "write":
        chosen += ["--no-cleanup", "-b", str(params.bs)]
        chosen += ["-O", str(params.object_size)] if params.object_size else []
        chosen += ["--max-objects", str(params.max_objects)] if params.max_objects else []
    elif not params.verify:
        chosen.append("--no-verify")
    return (*chosen, *(() if params.hints else ("--no-hints",)))


def _tidy(params: RadosParams, target: ToolTarget, act: int) -> tuple[Command, ...]:
    """Commands that remove the test: its pool if this attempt made it, else what was written."""
    pool = target.identity
    if target.make:
        return (making.delete(target, act),)
    ours = ("rados", "-p", pool, "-N", NAMESPACE)
    removing = (*ours, "cleanup", "--prefix", PREFIX, "-t", str(params.threads))
    seconds = max(REMOVING, REMOVING_FACTOR * params.lasts("write"))
    return (
        Command("cleanup", removing, on="lead", act=act, always=True, seconds=seconds),
        Command("left", (*ours, "ls"), on="lead", act=act, always=True, may_fail=True),
    )

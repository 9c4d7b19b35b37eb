"""Build the commands of a test from parameters and target, stage by stage, with all options.

A test writes into its own namespace in the pool (rados(8), -N), so it can neither read nor remove
other objects. After an interrupted write, rados cleanup matches objects by the prefix of their
names, including objects of others; within the namespace all objects are the test's.
"""

from __future__ import annotations

from apps.tools.errors import ParamsError
from apps.tools.messages import message
from apps.tools.pools import cluster_queries, pool_commands
from apps.tools.procedure import Command, Procedure
from apps.tools.targets import ToolTarget

from .params import RadosParams

NAMESPACE = "benchlab-{attempt}"
# Prefix of all object names of rados bench (ceph: obj_bencher.cc), including the metadata object
# that reads use, so one cleanup removes all.
PREFIX = "benchmark_data"
RUN = f"{PREFIX}_benchlab-{{attempt}}-{{client}}"
# Time limit of removing in seconds: the minimum, and a multiple of the duration of writing.
REMOVING, REMOVING_FACTOR = 120.0, 4.0


def build_procedure(params: RadosParams, target: ToolTarget) -> Procedure:
    """Build the commands of one case.

    Raises: ParamsError if the target is no pool.
    """
    if target.kind != "pool":
        raise ParamsError({"tool": message("rados bench works on Ceph pools.")})
    steps = params.steps
    written = (params.object_size or params.bs) * (params.max_objects or 0)
    return Procedure(
        commands=(
            *pool_commands.make(target),
            *cluster_queries.before(0, target.identity),
            *(each for step in steps for each in _measure(params, target.identity, step)),
            cluster_queries.after(act=len(steps) + 1),
            # A separate stage: clean-up that is alone in its stage always runs.
            *_tidy(params, target, act=len(steps) + 2),
        ),
        seconds=pool_commands.making_seconds(target)
        + cluster_queries.ASKING
        + sum(params.lasts(step) for step in steps),
        writes=True,
        bytes_written=written or None,
    )


def _measure(params: RadosParams, pool: str, step: str) -> tuple[Command, Command]:
    """Return the command of the operation, preceded by a line with its name.

    The output of rados itself does not contain the kind of a read.
    """
    act = params.steps.index(step) + 1
    argv = ("rados", "-p", pool, "-N", NAMESPACE, "bench", *_options(params, step))
    announcement = ("echo", f"{act}/{len(params.steps)}:", *argv)
    fills = pool if step == "write" else ""
    return Command(f"announce-{step}", announcement, act=act), Command(
        step, argv, act=act, fills=fills
    )


def _options(params: RadosParams, step: str) -> tuple[str, ...]:
    """Return the options of rados bench in a fixed order; sizes are for writes only."""
    chosen = [str(params.lasts(step)), step, "-t", str(params.threads), "--run-name", RUN]
    if step == "write":
        chosen += ["--no-cleanup", "-b", str(params.bs)]
        chosen += ["-O", str(params.object_size)] if params.object_size else []
        chosen += ["--max-objects", str(params.max_objects)] if params.max_objects else []
    elif not params.verify:
        chosen.append("--no-verify")
    return (*chosen, *(() if params.hints else ("--no-hints",)))


def _tidy(params: RadosParams, target: ToolTarget, act: int) -> tuple[Command, ...]:
    """Return the commands that remove the test: its pool if it created it, else its objects."""
    pool = target.identity
    if target.make:
        return (pool_commands.delete(target, act),)
    rados = ("rados", "-p", pool, "-N", NAMESPACE)
    removing = (*rados, "cleanup", "--prefix", PREFIX, "-t", str(params.threads))
    seconds = max(REMOVING, REMOVING_FACTOR * params.lasts("write"))
    return (
        Command("cleanup", removing, on="lead", act=act, always=True, seconds=seconds),
        Command("left", (*rados, "ls"), on="lead", act=act, always=True, may_fail=True),
    )

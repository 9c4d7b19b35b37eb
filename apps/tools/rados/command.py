"""Build the commands of a test from parameters and target, stage by stage, with all options.

A test writes into its own namespace in the pool (rados(8), -N), so it can neither read nor remove
other objects. After an interrupted write, rados cleanup matches objects by the prefix of their
names, including objects of others; within the namespace all objects are the test's.

Stored objects lie in a namespace of their name. The metadata object (--run-name) contains the
process id of the writer, and the names of objects contain the host name (ceph: obj_bencher.cc), so
each host reads what it wrote.
"""

from __future__ import annotations

from apps.tools.errors import ParamsError
from apps.tools.messages import message
from apps.tools.pools import cluster_queries, pool_commands
from apps.tools.procedure import Command, Procedure
from apps.tools.targets import ToolTarget

from .params import RadosParams

NAMESPACE = "benchlab-{attempt}"
STORED_NAMESPACE = "benchlab-stored-{name}"
# Prefix of all object names of rados bench (ceph: obj_bencher.cc), including the metadata object
# that reads use, so one cleanup removes all.
PREFIX = "benchmark_data"
RUN = f"{PREFIX}_benchlab-{{attempt}}-{{client}}"
STORED_RUN = f"{PREFIX}_stored-{{client}}"
# Time limit of removing in seconds: the minimum, and a multiple of the duration of writing.
REMOVING, REMOVING_FACTOR = 120.0, 4.0


def build_procedure(params: RadosParams, target: ToolTarget) -> Procedure:
    """Build the commands of one case.

    Raises: ParamsError if the target is no pool, or if stored objects are in a temporary pool.
    """
    if target.kind != "pool":
        raise ParamsError({"tool": message("rados bench works on Ceph pools.")})
    if target.make and (params.stored or params.run_name):
        name = "stored" if params.stored else "run_name"
        text = message("benchlab deletes this pool after the test: nothing in it stays.")
        raise ParamsError({name: text})
    steps = params.steps
    written = (params.object_size or params.bs) * (params.max_objects or 0)
    return Procedure(
        commands=(
            *pool_commands.make(target),
            *cluster_queries.before(0, target.identity),
            *_replace_stored(params, target.identity),
            *(each for step in steps for each in _measure(params, target.identity, step)),
            cluster_queries.after(stage=_first(params) + len(steps)),
            # A separate stage: clean-up that is alone in its stage always runs.
            *_tidy(params, target, stage=_first(params) + len(steps) + 1),
        ),
        seconds=pool_commands.making_seconds(target)
        + cluster_queries.ASKING
        + sum(params.lasts(step) for step in steps),
        writes=params.writes or params.remove_stored,
        bytes_written=written or None,
    )


def _first(params: RadosParams) -> int:
    """Return the stage of the first operation."""
    return 2 if params.stored and params.writes else 1


def _replace_stored(params: RadosParams, pool: str) -> tuple[Command, ...]:
    """Return the removal of older objects of the same name; each writer adds to them."""
    if not (params.stored and params.writes):
        return ()
    return (Command("remove-stored", _cleanup(params, pool), on="lead", stage=1),)


def _cleanup(params: RadosParams, pool: str) -> tuple[str, ...]:
    return (*_rados(params, pool), "cleanup", "--prefix", PREFIX, "-t", str(params.threads))


def _measure(params: RadosParams, pool: str, step: str) -> tuple[Command, Command]:
    """Return the command of the operation, preceded by a line with its name.

    The output of rados itself does not contain the kind of a read.
    """
    number = params.steps.index(step)
    stage = _first(params) + number
    argv = (*_rados(params, pool), "bench", *_options(params, step))
    announcement = ("echo", f"{number + 1}/{len(params.steps)}:", *argv)
    fills = pool if step == "write" else ""
    return Command(f"announce-{step}", announcement, stage=stage), Command(
        step, argv, stage=stage, fills=fills, load_seconds=float(params.lasts(step))
    )


def _rados(params: RadosParams, pool: str) -> tuple[str, ...]:
    """Return rados with the pool and the namespace of the objects."""
    if params.run_name:
        return ("rados", "-p", pool)
    namespace = STORED_NAMESPACE.format(name=params.stored) if params.stored else NAMESPACE
    return ("rados", "-p", pool, "-N", namespace)


def _options(params: RadosParams, step: str) -> tuple[str, ...]:
    """Return the options of rados bench in a fixed order; sizes are for writes only."""
    run = params.run_name or (STORED_RUN if params.stored else RUN)
    options = [str(params.lasts(step)), step, "-t", str(params.threads_of(step)), "--run-name", run]
    if step == "write":
        options += ["--no-cleanup", "-b", str(params.bs)]
        options += ["-O", str(params.object_size)] if params.object_size else []
        options += ["--max-objects", str(params.max_objects)] if params.max_objects else []
    elif not params.verify:
        options.append("--no-verify")
    return (*options, *(() if params.hints else ("--no-hints",)))


def _tidy(params: RadosParams, target: ToolTarget, stage: int) -> tuple[Command, ...]:
    """Return the commands that remove the test: its pool if it created it, else its objects.

    Stored objects stay until a test removes them; objects of others always stay.
    """
    if target.make:
        return (pool_commands.delete(target, stage),)
    if params.run_name or (params.stored and not params.remove_stored):
        return ()
    removing = _cleanup(params, target.identity)
    seconds = max(REMOVING, REMOVING_FACTOR * params.lasts("write"))
    listing = (*_rados(params, target.identity), "ls")
    return (
        Command("cleanup", removing, on="lead", stage=stage, always=True, seconds=seconds),
        Command("left", listing, on="lead", stage=stage, always=True, may_fail=True),
    )

"""Commands of the agent that create a pool for a test and delete it (docs/development/agent.md)."""

from __future__ import annotations

from apps.tools.procedure import Command
from apps.tools.targets import PoolPlan, ToolTarget

# Expected seconds to create a pool on a small cluster; time limit in seconds to delete it.
MAKING = 15.0
DELETING = 180.0


def make(target: ToolTarget) -> tuple[Command, ...]:
    """Return the command that creates, marks and awaits the pool; none for an existing pool."""
    if target.make is None:
        return ()
    argv = ("@ceph-pool", "make", target.identity, "{attempt}", *_layout(target.make))
    return (Command("make", argv, on="lead"),)


def making_seconds(target: ToolTarget) -> float:
    """Return the expected duration of `make` in seconds."""
    return MAKING if target.make else 0.0


def delete(target: ToolTarget, stage: int) -> Command:
    """Return the command that deletes the pool with its data, if `make` marked it."""
    argv = ("@ceph-pool", "delete", target.identity, "{attempt}")
    return Command("delete", argv, on="lead", stage=stage, always=True, seconds=DELETING)


def _layout(plan: PoolPlan) -> tuple[str, ...]:
    coded = (f"k={plan.k}", f"m={plan.m}") if plan.k else ()
    copies = (f"replicas={plan.replicas}",) if plan.replicas and not plan.k else ()
    return (f"pg_num={plan.pg_num}", *copies, *coded, f"domain={plan.failure_domain}")

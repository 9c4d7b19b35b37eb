"""Commands that make a pool for a test and delete it, both the agent's own
(docs/development/agent.md).
"""

from __future__ import annotations

from apps.tools.procedure import Command
from apps.tools.targets import PoolPlan, ToolTarget

# Seconds that a small cluster takes to make a pool, and at most to delete it.
MAKING = 15.0
DELETING = 180.0


def make(target: ToolTarget) -> tuple[Command, ...]:
    """The pool, where this test makes it: looked for, made, marked and waited for."""
    if target.make is None:
        return ()
    argv = ("@ceph-pool", "make", target.identity, "{attempt}", *_layout(target.make))
    return (Command("make", argv, on="lead"),)


def making_seconds(target: ToolTarget) -> float:
    """Seconds that `make` is expected to take."""
    return MAKING if target.make else 0.0


def delete(target: ToolTarget, act: int) -> Command:
    """The pool with all that is in it; only what `make` marked is deleted."""
    argv = ("@ceph-pool", "delete", target.identity, "{attempt}")
    return Command("delete", argv, on="lead", act=act, always=True, seconds=DELETING)


def _layout(plan: PoolPlan) -> tuple[str, ...]:
    coded = (f"k={plan.k}", f"m={plan.m}") if plan.k else ()
    copies = (f"replicas={plan.replicas}",) if plan.replicas and not plan.k else ()
    return (f"pg_num={plan.pg_num}", *copies, *coded, f"domain={plan.failure_domain}")

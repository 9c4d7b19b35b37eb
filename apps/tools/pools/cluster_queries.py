"""Ceph monitor commands before and after a test, and the files of their responses."""

from __future__ import annotations

import json
from itertools import chain

from apps.tools.procedure import Command

HEALTH_BEFORE = "health-before.json"
HEALTH_AFTER = "health-after.json"
POOL = "pool.json"
# Monitor commands. All but health and pool run once, before the test.
HEALTH = json.dumps({"prefix": "health", "detail": "detail"})
QUESTIONS = {
    "status.json": json.dumps({"prefix": "status"}),
    "osd-dump.json": json.dumps({"prefix": "osd dump"}),
    "osd-tree.json": json.dumps({"prefix": "osd tree"}),
    "osd-df.json": json.dumps({"prefix": "osd df"}),
    "df.json": json.dumps({"prefix": "df"}),
    "versions.json": json.dumps({"prefix": "versions"}),
}
# Expected seconds of all commands on a small cluster.
ASKING = 2.0


def before(stage: int, pool: str, program: str = "rados") -> tuple[Command, ...]:
    """Return the commands before the test, over one connection (`@ceph-query`).

    The client's version, the cluster's health and the pool are required, so that a missing pool is
    reported first. The other commands may fail (an old release, a user without the capability). See
    docs/development/agent.md.
    """
    required = {
        HEALTH_BEFORE: HEALTH,
        POOL: json.dumps({"prefix": "osd pool get", "pool": pool, "var": "all"}),
    }
    argv = ("@ceph-query", *chain(*required.items()), "--may-fail", *chain(*QUESTIONS.items()))
    return (
        Command("version", (program, "--version"), on="lead", stage=stage),
        Command("cluster", argv, files=(*required, *QUESTIONS), on="lead", stage=stage),
    )


def after(stage: int) -> Command:
    """Return the command that checks the cluster's health after the test."""
    argv = ("@ceph-query", HEALTH_AFTER, HEALTH)
    return Command(
        "health-after", argv, files=(HEALTH_AFTER,), on="lead", stage=stage, may_fail=True
    )

"""Questions to the cluster before and after a test, and the files the answers are kept in."""

from __future__ import annotations

import json
from itertools import chain

from apps.tools.procedure import Command

HEALTH_BEFORE = "health-before.json"
HEALTH_AFTER = "health-after.json"
POOL = "pool.json"
# Monitors' commands. Everything but health and pool is asked once, before the test.
HEALTH = json.dumps({"prefix": "health", "detail": "detail"})
QUESTIONS = {
    "status.json": json.dumps({"prefix": "status"}),
    "osd-dump.json": json.dumps({"prefix": "osd dump"}),
    "osd-tree.json": json.dumps({"prefix": "osd tree"}),
    "osd-df.json": json.dumps({"prefix": "osd df"}),
    "df.json": json.dumps({"prefix": "df"}),
    "versions.json": json.dumps({"prefix": "versions"}),
}
# Seconds a small cluster takes to answer all of them.
ASKING = 2.0


def before(act: int, pool: str, program: str = "rados") -> tuple[Command, ...]:
    """The client's version, the cluster's health and the pool must be had, so that a pool that is
    not there is said before anything else; the rest may fail (an old release, a user without the
    right). All are asked over one connection (docs/development/agent.md, `@ceph-query`).
    """
    needed = {
        HEALTH_BEFORE: HEALTH,
        POOL: json.dumps({"prefix": "osd pool get", "pool": pool, "var": "all"}),
    }
    argv = ("@ceph-query", *chain(*needed.items()), "--may-fail", *chain(*QUESTIONS.items()))
    return (
        Command("version", (program, "--version"), on="lead", act=act),
        Command("cluster", argv, files=(*needed, *QUESTIONS), on="lead", act=act),
    )


def after(act: int) -> Command:
    """Whether the cluster is still healthy."""
    argv = ("@ceph-query", HEALTH_AFTER, HEALTH)
    return Command("health-after", argv, files=(HEALTH_AFTER,), on="lead", act=act, may_fail=True)

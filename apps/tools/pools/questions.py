"""Questions to the cluster before and after a test, and the files the answers are kept in."""

from __future__ import annotations

from apps.tools.base import Command

HEALTH_BEFORE = "health-before.json"
HEALTH_AFTER = "health-after.json"
POOL = "pool.json"
# Everything else is asked once, before the test; the words are those of ceph(8).
QUESTIONS = {
    "status.json": ("status",),
    "osd-dump.json": ("osd", "dump"),
    "osd-tree.json": ("osd", "tree"),
    "osd-df.json": ("osd", "df"),
    "df.json": ("df",),
    "versions.json": ("versions",),
}
# Seconds a small cluster takes to answer all of them.
ASKING = 5.0
# Seconds to find a monitor; ceph's own 300 would hold up a test for nothing.
CONNECT = "30"


def before(act: int, pool: str, program: str = "rados") -> tuple[Command, ...]:
    """The client's version, the cluster's health and the pool must be had, so that a pool that is
    not there is said before anything else; the rest may fail (an old release, a user without the
    right)."""
    return (
        Command("version", (program, "--version"), on="lead", act=act),
        _asked("health-before", HEALTH_BEFORE, ("health", "detail"), act),
        _asked("pool", POOL, ("osd", "pool", "get", pool, "all"), act),
        *(
            _asked(name.removesuffix(".json"), name, words, act, may_fail=True)
            for name, words in QUESTIONS.items()
        ),
    )


def after(act: int) -> Command:
    """Whether the cluster is still healthy."""
    return _asked("health-after", HEALTH_AFTER, ("health", "detail"), act, may_fail=True)


def _asked(
    role: str, name: str, words: tuple[str, ...], act: int, *, may_fail: bool = False
) -> Command:
    argv = ("ceph", "--connect-timeout", CONNECT, "-o", name, *words, "--format", "json")
    return Command(role, argv, files=(name,), on="lead", act=act, may_fail=may_fail)

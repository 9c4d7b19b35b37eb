"""Commands that make an RBD image for a test and remove it, both the agent's own
(docs/development/agent.md).

Each client host has an image of its own, named after the attempt and the host's number.
"""

from __future__ import annotations

from apps.tools.errors import ParamsError
from apps.tools.messages import message
from apps.tools.procedure import Command
from apps.tools.targets import ToolTarget

IMAGE = "benchlab-{attempt}-{client}"
MIB = 1024**2
# What rbd(8) takes as the size of an image's objects.
OBJECT_SIZES = (4096, 32 * MIB)
# Seconds to make one, and at most to remove all of a test.
MAKING, REMOVING = 2.0, 600.0


def make(pool: str, size: int, act: int, *, objects: int = 0, shared: bool = False) -> Command:
    """An image of `size` bytes on each client host. `objects`: bytes of its objects, 0 for the
    cluster's own; `shared`: several processes write to it at once, without passing its lock on.
    """
    wanted = (*((f"object_size={objects}",) if objects else ()), *(("shared=1",) if shared else ()))
    argv = ("@rbd-image", "make", pool, "{attempt}", "{client}", f"size={size}", *wanted)
    return Command("make-image", argv, act=act)


def delete(pool: str, act: int) -> Command:
    """All images of the test."""
    argv = ("@rbd-image", "delete", pool, "{attempt}")
    return Command("delete-images", argv, on="lead", act=act, always=True, seconds=REMOVING)


def fill(pool: str, size: int, act: int, place: str) -> tuple[Command, Command]:
    """Writing an image once from its beginning to its end: what was never written is not read from
    any disk. `place`: "1/2:", by which it is told from what is measured.
    """
    argv = ("rbd", "bench", f"{pool}/{IMAGE}", "--io-type", "write", "--io-pattern", "full-seq")
    return announced(
        "fill", (*argv, "--io-size", "1M", "--io-total", str(size)), act, place, fills=pool
    )


def announced(
    role: str, argv: tuple[str, ...], act: int, place: str, *, fills: str = ""
) -> tuple[Command, Command]:
    """A command, and before it a line that says what follows."""
    said = Command(f"announce-{role}", ("echo", place, *argv), act=act)
    return said, Command(role, argv, act=act, fills=fills)


def refuse_pool(target: ToolTarget, tool: str) -> None:
    """Raises ParamsError where no image can be made: this is no pool, or one of chunks alone."""
    if target.kind != "pool":
        raise ParamsError({"tool": message("%(tool)s works on Ceph pools.", tool=tool)})
    if target.make and target.make.k:
        text = message("An image cannot lie in an erasure coded pool alone: use a replicated one.")
        raise ParamsError({"tool": text})

"""Commands of the agent that create and remove RBD images (docs/development/agent.md).

Each client host has its own image, named after the attempt and the host's number.
"""

from __future__ import annotations

from apps.tools.errors import ParamsError
from apps.tools.messages import message
from apps.tools.procedure import Command
from apps.tools.targets import ToolTarget

IMAGE = "benchlab-{attempt}-{client}"
MIB = 1024**2
# Limits of rbd(8) for the size of an image's objects, in bytes.
OBJECT_SIZES = (4096, 32 * MIB)
# Expected seconds to create an image; time limit in seconds to remove all of a test.
MAKING, REMOVING = 2.0, 600.0


def make(pool: str, size: int, stage: int, *, objects: int = 0, shared: bool = False) -> Command:
    """Create an image of `size` bytes on each client host.

    - `objects`: bytes of its objects, 0 for the cluster's default.
    - `shared`: several processes write to it at once, without passing its lock on.
    """
    options = (
        *((f"object_size={objects}",) if objects else ()),
        *(("shared=1",) if shared else ()),
    )
    argv = ("@rbd-image", "make", pool, "{attempt}", "{client}", f"size={size}", *options)
    return Command("make-image", argv, stage=stage)


def delete(pool: str, stage: int) -> Command:
    """Delete all images of the test."""
    argv = ("@rbd-image", "delete", pool, "{attempt}")
    return Command("delete-images", argv, on="lead", stage=stage, always=True, seconds=REMOVING)


def fill(pool: str, size: int, stage: int, label: str) -> tuple[Command, Command]:
    """Write an image once from start to end; unwritten blocks are not read from disk.

    `place`: "1/2:", distinguishes it from the measured commands in the output.
    """
    argv = ("rbd", "bench", f"{pool}/{IMAGE}", "--io-type", "write", "--io-pattern", "full-seq")
    return announced(
        "fill", (*argv, "--io-size", "1M", "--io-total", str(size)), stage, label, fills=pool
    )


def announced(
    role: str, argv: tuple[str, ...], stage: int, label: str, *, fills: str = ""
) -> tuple[Command, Command]:
    """Return a command preceded by a command that prints its command line."""
    announcement = Command(f"announce-{role}", ("echo", label, *argv), stage=stage)
    return announcement, Command(role, argv, stage=stage, fills=fills)


def refuse_pool(target: ToolTarget, tool: str) -> None:
    """Check that an image can be created in the target.

    Raises: ParamsError unless it is a pool, or if its data is erasure coded.
    """
    if target.kind != "pool":
        raise ParamsError({"tool": message("%(tool)s works on Ceph pools.", tool=tool)})
    if target.make and target.make.k:
        text = message("An image cannot lie in an erasure coded pool alone: use a replicated one.")
        raise ParamsError({"tool": text})

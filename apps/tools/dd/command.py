"""Parameters and target -> dd's command line; every operand is written here."""

from __future__ import annotations

from apps.tools.caches import drop_caches
from apps.tools.errors import ParamsError
from apps.tools.messages import message
from apps.tools.param_values import format_size
from apps.tools.procedure import Command, Procedure
from apps.tools.targets import ToolTarget

from .params import DdParams

TEST_FILE = "benchlab-dd"
# How fast a plain disk copies, bytes/s: dd has no run time, only an amount.
RATE = 100 * 1024**2
# Blocks in which the file of a reading test is written.
LAYOUT_BLOCK = 1024**2


def procedure(params: DdParams, target: ToolTarget) -> Procedure:
    """The commands for one case. Raises ParamsError where the parameters do not fit this target."""
    if target.kind == "disk" and target.size is not None and params.size > target.size:
        has, needs = format_size(target.size), format_size(params.size)
        raise ParamsError(
            {
                "size": message(
                    "This disk has %(has)s; the test needs %(needs)s.", has=has, needs=needs
                )
            }
        )
    lays_out = params.rw == "read" and target.kind == "directory"
    writes = params.rw == "write" or lays_out
    return Procedure(
        commands=(
            *(_layout(params) if lays_out else ()),
            *(drop_caches() if params.rw == "read" and not params.direct else ()),
            Command("main", ("dd", *operands(params, target))),
        ),
        seconds=params.size * (2 if lays_out else 1) / RATE,
        writes=writes,
        bytes_written=params.size if writes else 0,
        space_needed=params.size if target.kind == "directory" else 0,
    )


def operands(params: DdParams, target: ToolTarget) -> tuple[str, ...]:
    """Dd's operands in a fixed order; `{target}` stays for the agent to fill in."""
    place = _place(target)
    reads = params.rw == "read"
    ends = (f"if={place}", "of=/dev/null") if reads else ("if=/dev/zero", f"of={place}")
    flags = [name for name in ("direct", "sync", "dsync") if getattr(params, name)]
    conversions = [f"conv={name}" for name in ("fdatasync", "fsync") if getattr(params, name)]
    return (
        *ends,
        f"bs={params.bs}",
        f"count={params.count}",
        *((f"{'iflag' if reads else 'oflag'}={','.join(flags)}",) if flags else ()),
        *conversions,
    )


def _place(target: ToolTarget) -> str:
    return "{target}" if target.kind == "disk" else f"{{target}}/{TEST_FILE}"


def _layout(params: DdParams) -> tuple[Command, ...]:
    """The file that is read: the same amount in large blocks, without a report of its own."""
    count, rest = divmod(params.size, LAYOUT_BLOCK)
    block, blocks = (LAYOUT_BLOCK, count) if not rest else (params.bs, params.count)
    words = ("if=/dev/zero", f"of={{target}}/{TEST_FILE}", f"bs={block}", f"count={blocks}")
    return (Command("layout", ("dd", *words, "conv=fsync", "status=none")),)

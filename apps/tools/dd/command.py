"""Build dd's command line from parameters and target, with all operands."""

from __future__ import annotations

from apps.tools.caches import drop_caches
from apps.tools.errors import ParamsError
from apps.tools.messages import message
from apps.tools.param_values import format_size
from apps.tools.procedure import Command, Procedure
from apps.tools.targets import ToolTarget

from .params import DdParams

TEST_FILE = "benchlab-dd"
# Estimated rate of a plain disk, bytes/s; dd has an amount and no run time.
RATE = 100 * 1024**2
# Block size for writing the file of a read test.
LAYOUT_BLOCK = 1024**2


def build_procedure(params: DdParams, target: ToolTarget) -> Procedure:
    """Build the commands of one case.

    Raises: ParamsError if the parameters do not fit the target.
    """
    if target.kind == "disk" and target.size is not None and params.size > target.size:
        disk_size, test_size = format_size(target.size), format_size(params.size)
        raise ParamsError(
            {
                "size": message(
                    "This disk has %(disk_size)s; the test needs %(test_size)s.",
                    disk_size=disk_size,
                    test_size=test_size,
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
    """Return dd's operands in a fixed order; the agent replaces `{target}`."""
    path = _target_path(target)
    reads = params.rw == "read"
    ends = (f"if={path}", "of=/dev/null") if reads else ("if=/dev/zero", f"of={path}")
    flags = [name for name in ("direct", "sync", "dsync") if getattr(params, name)]
    conversions = [f"conv={name}" for name in ("fdatasync", "fsync") if getattr(params, name)]
    return (
        *ends,
        f"bs={params.bs}",
        f"count={params.count}",
        *((f"{'iflag' if reads else 'oflag'}={','.join(flags)}",) if flags else ()),
        *conversions,
    )


def _target_path(target: ToolTarget) -> str:
    return "{target}" if target.kind == "disk" else f"{{target}}/{TEST_FILE}"


def _layout(params: DdParams) -> tuple[Command, ...]:
    """Return the command that creates the file to read, in large blocks and without a report."""
    count, rest = divmod(params.size, LAYOUT_BLOCK)
    block, blocks = (LAYOUT_BLOCK, count) if not rest else (params.bs, params.count)
    file_operands = ("if=/dev/zero", f"of={{target}}/{TEST_FILE}", f"bs={block}", f"count={blocks}")
    return (Command("layout", ("dd", *file_operands, "conv=fsync", "status=none")),)

"""The parameters that determine one operation of a test: a planned test measures an operation and
its repetition, an imported result is one of them.
"""

from __future__ import annotations

from apps.tools.errors import ParamsError
from apps.tools.values import Parameters

from .params import IozoneParams
from .parser.columns import PLANNED

_PLANNED_AS = {
    measured: operation for operation, (_, several) in PLANNED.items() for measured in several
}
_STATED = frozenset(
    {
        *("file_size", "record_size", "threads"),
        *("direct", "sync", "include_fsync", "include_close", "mmap", "retest"),
    }
)


def operation_params(params: Parameters, operation: str) -> Parameters:
    """Those of the canonical parameters of a plan that determine `operation`."""
    found: Parameters = {**params, "operation": operation}
    if operation != "stride_read":
        found.pop("stride", None)
    return found


def exact_params(known: Parameters, operation: str) -> Parameters | None:
    """`operation_params` of the planned test with these parameters. None where one is missing or no
    plan has it, and where a plan cannot ask for such a test.
    """
    if operation not in _PLANNED_AS:
        return None
    needed = _STATED | ({"stride"} if operation == "stride_read" else set())
    if not needed <= known.keys() <= needed | {"operation"} | IozoneParams.later.keys():
        return None
    try:
        params = IozoneParams.from_raw({**known, "operation": _PLANNED_AS[operation]})
    except ParamsError:
        return None
    return operation_params(params.canonical(), operation)

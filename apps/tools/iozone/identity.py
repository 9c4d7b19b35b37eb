"""Parameters that determine one operation of a test.

A planned test measures an operation and its repetition; an imported result is one of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from apps.tools.errors import ParamsError
from apps.tools.values import Parameters

from .params import IozoneParams
from .parser.columns import PLANNED

_PLANNED_AS = {
    measured: operation for operation, (_, operations) in PLANNED.items() for measured in operations
}
_STATED = frozenset(
    {
        *("file_size", "record_size", "threads"),
        *("direct", "sync", "include_fsync", "include_close", "mmap", "retest"),
    }
)


def operation_params(params: Parameters, operation: str) -> Parameters:
    """Return the canonical plan parameters that determine `operation`."""
    result: Parameters = {**params, "operation": operation}
    if operation != "stride_read":
        result.pop("stride", None)
    return result


def exact_params(known: Parameters, operation: str) -> Parameters | None:
    """Return `operation_params` of the planned test with these parameters.

    None if a parameter is missing or unknown to plans, and if no plan can contain such a test.
    """
    if operation not in _PLANNED_AS:
        return None
    required = _STATED | ({"stride"} if operation == "stride_read" else set())
    if not required <= known.keys() <= required | {"operation"} | IozoneParams.later.keys():
        return None
    try:
        params = IozoneParams.from_raw({**known, "operation": _PLANNED_AS[operation]})
    except ParamsError:
        return None
    return operation_params(params.canonical(), operation)


def repeated_steps(tests: Sequence[Parameters]) -> list[Parameters]:
    """Return the plan parameters that measure these operations: "rewrite" is part of "write"."""
    result: list[Parameters] = []
    for known in tests:
        operation = _PLANNED_AS.get(str(known.get("operation")))
        step = {**known, "operation": operation} if operation else None
        if step is not None and step not in result:
            result.append(step)
    return result

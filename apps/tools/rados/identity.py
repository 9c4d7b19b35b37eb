"""The parameters that determine one operation of a test: a planned test measures several, one after
the other, and an imported result is of one.
"""

from __future__ import annotations

from apps.tools.errors import ParamsError
from apps.tools.values import Parameters

from .params import RadosParams

_OPERATIONS = {"write": "write", "seq": "write+seq", "rand": "write+rand"}
_STATED = frozenset({"bs", "threads", "seconds", "object_size", "hints"})
# Parameters of a planned test that say nothing of this operation or are in others.
_BESIDE = frozenset({"operation", "operations", "write_seconds", "max_objects", "verify"})


def operation_params(params: Parameters, operation: str) -> Parameters:
    """Those of the canonical parameters of a plan that determine `operation`."""
    seconds = params.get("seconds")
    found: Parameters = {
        "operation": operation,
        "bs": params.get("bs"),
        "threads": params.get("threads"),
        "seconds": seconds,
        "object_size": params.get("object_size") or params.get("bs"),
        "hints": params.get("hints", True),
    }
    if operation != "write":
        return found | {"verify": params.get("verify", True)}
    found["seconds"] = params.get("write_seconds") or seconds
    most = params.get("max_objects")
    return found | ({"max_objects": most} if most else {})


def exact_params(known: Parameters, operation: str) -> Parameters | None:
    """`operation_params` of the planned test with these parameters. None where one is missing or no
    plan has it, and where a plan cannot ask for such a test.
    """
    if operation not in _OPERATIONS:
        return None
    needed = _STATED if operation == "write" else _STATED | {"verify"}
    if not needed <= known.keys() <= _STATED | _BESIDE:
        return None
    stated = {name: known[name] for name in needed}
    if operation == "write" and known.get("max_objects"):
        stated["max_objects"] = known["max_objects"]
    try:
        params = RadosParams.from_raw({"operations": _OPERATIONS[operation], **stated})
    except ParamsError:
        return None
    return operation_params(params.canonical(), operation)

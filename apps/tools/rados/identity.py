"""Parameters that determine one operation of a test.

A planned test measures several operations in sequence; an imported result has one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from apps.tools.errors import ParamsError
from apps.tools.values import Parameters, RawValue

from .params import RadosParams

_OPERATIONS = {"write": "write", "seq": "write+seq", "rand": "write+rand"}
_STATED = frozenset({"bs", "threads", "seconds", "object_size", "hints"})
# Parameters of a planned test that are irrelevant to this operation or contained in others.
_IRRELEVANT = frozenset(
    {
        *("operation", "operations", "write_seconds", "max_objects", "verify"),
        *("stored", "remove_stored", "run_name"),
    }
)


def operation_params(params: Parameters, operation: str) -> Parameters:
    """Return the canonical plan parameters that determine `operation`."""
    seconds = params.get("seconds")
    result: Parameters = {
        "operation": operation,
        "bs": params.get("bs"),
        "threads": params.get("threads"),
        "seconds": seconds,
        "object_size": params.get("object_size") or params.get("bs"),
        "hints": params.get("hints", True),
    }
    if operation != "write":
        result["threads"] = params.get("read_threads") or params.get("threads")
        # Objects of an earlier test may have left the caches of the OSDs: another workload.
        reads_alone = not str(params.get("operations", "write")).startswith("write")
        stored: Parameters = {"stored": True} if reads_alone else {}
        return result | {"verify": params.get("verify", True)} | stored
    result["seconds"] = params.get("write_seconds") or seconds
    max_objects = params.get("max_objects")
    return result | ({"max_objects": max_objects} if max_objects else {})


def exact_params(known: Parameters, operation: str) -> Parameters | None:
    """Return `operation_params` of the planned test with these parameters.

    None if a parameter is missing or unknown to plans, and if no plan can contain such a test.
    """
    if operation not in _OPERATIONS:
        return None
    required = _STATED if operation == "write" else _STATED | {"verify"}
    if not required <= known.keys() <= _STATED | _IRRELEVANT:
        return None
    given = {name: known[name] for name in required}
    if operation == "write" and known.get("max_objects"):
        given["max_objects"] = known["max_objects"]
    try:
        params = RadosParams.from_raw({"operations": _OPERATIONS[operation], **given})
    except ParamsError:
        return None
    return operation_params(params.canonical(), operation)


def repeated_steps(tests: Sequence[Parameters]) -> list[Parameters]:
    """Return the plan parameters of steps that repeat these tests, one per object size.

    A step that reads writes the objects first. Reads without a stated number of operations in
    flight take that of the writes.
    """
    of_sizes: dict[RawValue, dict[str, Parameters]] = {}
    for known in tests:
        if (operation := str(known.get("operation"))) in _OPERATIONS:
            of_sizes.setdefault(known.get("bs"), {}).setdefault(operation, known)
    return [_repeated_step(known) for known in of_sizes.values()]


def _repeated_step(known: Mapping[str, Parameters]) -> Parameters:
    """Return one step; `known`: parameters by operation."""
    operations = [name for name in _OPERATIONS if name in known or name == "write"]
    first = known.get("write") or next(iter(known.values()))
    reads = next((known[name] for name in ("seq", "rand") if name in known), {})
    seconds, read_threads = reads.get("seconds"), reads.get("threads")
    result: Parameters = {**first, "operations": "+".join(operations)}
    if seconds and seconds != first.get("seconds"):
        result |= {"seconds": seconds, "write_seconds": first.get("seconds")}
    if read_threads and read_threads != first.get("threads"):
        result["read_threads"] = read_threads
    return result

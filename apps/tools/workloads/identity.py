"""Identity of the workload of a result: all that the output states of the test.

If the output states all parameters of a plan, the workload is the plan's (`params.workload_key`),
so that imported and planned results are compared. Otherwise its key is the first 16 digits of the
SHA-256 of `{"known":{...},"tool":"<tool>"}`: equal for results with equal known parameters. Keys of
the two kinds are never equal, because the hashed texts differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from apps.tools.added_params import tool_params
from apps.tools.background import with_background
from apps.tools.params import canonical_key
from apps.tools.parse_result import Measurement
from apps.tools.registry import TOOLS
from apps.tools.tool import Tool
from apps.tools.values import Parameters
from apps.tools.workload_naming import OPERATIONS

from .short import stored_label

MAX_LABEL_LENGTH = 200
_CACHED_TYPES, _MAX_CACHED_LENGTH = (
    (str, int, float, bool, type(None)),
    2_000,
)  # total characters of the cached parameters


@dataclass(frozen=True)
class Identity:
    """Workload without results.

    `exact`: a plan can state the same test. `nameless_key`: the key without the names of jobs,
    equal to `key` if they distinguish no tests.
    """

    key: str
    label: str
    params: Parameters
    exact: bool
    nameless_key: str


def planned_identity(tool: Tool, params: Parameters, operation: str) -> Identity:
    """Return the workload of one operation of a planned test.

    `params`: canonical parameters of the whole test.
    """
    own = tool.operation_params(tool_params(params), operation)
    return _exact_identity(tool, with_background(own, params))


def stated_identity(
    tool: Tool, known: Parameters, results: Iterable[Measurement], *, names: bool = True
) -> Identity:
    """Return the workload of results of one test.

    `known`: parameters that the output states. `names`: the name of the job distinguishes tests
    with missing parameters.
    """
    results = list(results)
    first = results[0]
    operations = {each.operation for each in results}
    only = operations.pop() if len(operations) == 1 else ""
    if not known and first.call > 1:
        # Two calls without parameters are not repeats of each other.
        known = {"call": first.call}
    if unread := sorted({text for each in results for text in each.unread_options}):
        # No plan has this parameter, so such a test is never exact.
        known = known | {"unread_options": " ".join(unread)}
    job = _job(first) if names else {}
    if TOOLS.get(tool.name) is tool and (typed := _typed(known)) is not None:
        return _cached_identity(tool.name, typed, only, tuple(job.items()))
    return _identity(tool, known, only, job)


def _job(result: Measurement) -> Parameters:
    """Return the name of the job and the number of its group.

    The first group's number is omitted: a test without groups has the same number.
    """
    return {name: value for name in ("job", "group") if (value := getattr(result, name))}


def _typed(known: Parameters) -> tuple[tuple[str, type, Any], ...] | None:
    """Return the parameters with their types, or None if they are not to be cached.

    The types distinguish 1, 1.0 and true.
    """
    typed = tuple((name, type(value), value) for name, value in known.items())
    plain = all(kind in _CACHED_TYPES for _name, kind, _value in typed)
    return (
        typed
        if plain and sum(len(str(value)) for _n, _k, value in typed) < _MAX_CACHED_LENGTH
        else None
    )


@lru_cache(maxsize=1024)  # most files of a folder contain the same few workloads
def _cached_identity(
    name: str, typed: tuple[tuple[str, type, Any], ...], only: str, job: tuple[Any, ...]
) -> Identity:
    known = {name: value for name, _type, value in typed}
    return _identity(TOOLS[name], known, only, dict(job))


def _identity(tool: Tool, known: Parameters, only: str, job: Parameters) -> Identity:
    """Return the identity; `only`: the operation of all results, empty if they have several."""
    exact = tool.exact_params(known, only)
    if exact is not None:
        return _exact_identity(tool, exact)
    if only and known.keys().isdisjoint(OPERATIONS):
        # A sequential and a random read of equal sizes are not repeats of each other.
        known = {"operation": only, **known}
    nameless = _known_key(tool, known)
    known = known | job
    return Identity(_known_key(tool, known), _label(tool, known), known, False, nameless)


def _exact_identity(tool: Tool, params: Parameters) -> Identity:
    key = canonical_key({"tool": tool.name, "params": params})
    return Identity(key, _label(tool, params), params, True, key)


def _known_key(tool: Tool, known: Parameters) -> str:
    return canonical_key({"tool": tool.name, "known": _plain(known)})


def _label(tool: Tool, known: Parameters) -> str:
    return stored_label(tool, known)[:MAX_LABEL_LENGTH] or "parameters unknown"


def _plain(value: Any) -> Any:
    """Return the value with whole numbers as integers: 4096.0 becomes 4096."""
    if isinstance(value, float):
        return int(value) if value.is_integer() else repr(value)
    if isinstance(value, Mapping):
        return {str(name): _plain(inner) for name, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, (list, tuple)) else value

"""Compare the run time of a tool with the requested one."""

from __future__ import annotations

from apps.tools.messages import message
from apps.tools.parse_result import Parsed
from apps.tools.registry import param_with
from apps.tools.values import Parameters, Values

# A slow device delays the last operations; a stopped tool or a suspended host exceeds both limits.
FACTOR, SECONDS = 1.5, 5.0
_RAN = ("runtime", "seconds")


def duration_warnings(parsed: Parsed, params: Parameters) -> list[str]:
    """Return a warning if the reported run time far exceeds the requested one.

    Empty for tools and tests without a run time.
    """
    planned = params.get(param_with(parsed.tool, "time"))
    if not isinstance(planned, int | float) or planned <= 0:
        return []
    ran = max((_seconds(each.values) for each in parsed.measurements), default=0.0)
    if ran <= FACTOR * planned or ran <= planned + SECONDS:
        return []
    return [
        message(
            "the test was to run for %(planned).0f s and ran for %(ran).0f s: the tool was "
            "stopped, its host was suspended, or the device did not answer for a long time",
            planned=planned,
            ran=ran,
        )
    ]


def _seconds(values: Values) -> float:
    return max((v for name in _RAN if isinstance(v := values.get(name), int | float)), default=0.0)

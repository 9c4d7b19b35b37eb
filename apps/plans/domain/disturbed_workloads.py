"""Workloads of tests under a disturbance: another workload than the same test without one.

The disturbance is a parameter of the workload that no tool knows. So results with and without one
are never repeats of each other, and every page names the difference.
"""

from __future__ import annotations

from apps.tools.added_params import DISTURBANCE
from apps.tools.values import Parameters

MAX_LABEL_LENGTH = 200


def disturbed_params(params: Parameters, disturbance: str) -> Parameters:
    """Return canonical parameters with the disturbance; "" for none."""
    return {**params, DISTURBANCE: disturbance} if disturbance else params


def disturbed_label(label: str, disturbance: str) -> str:
    """Return the label of a workload with its disturbance."""
    if not disturbance:
        return label
    added = f" · {disturbance}"
    return label[: MAX_LABEL_LENGTH - len(added)] + added


def disturbance_of(params: Parameters) -> str:
    """Return the disturbance of a workload as text; "" without one."""
    return str(params.get(DISTURBANCE) or "")

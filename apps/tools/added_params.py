"""Parameters of a workload that no tool has: its background load and its disturbance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

BACKGROUND = "background"
DISTURBANCE = "disturbance"


def tool_params(params: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of the tool."""
    return {name: value for name, value in undisturbed_params(params).items() if name != BACKGROUND}


def undisturbed_params(params: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of the tool and the background load."""
    return {name: value for name, value in params.items() if name != DISTURBANCE}

"""The parameters of an output that determine its figures, and as a plan states them."""

from __future__ import annotations

from apps.tools.iperf.fields import HOST
from apps.tools.values import Parameters

# What both programs write at once over TCP without -l.
TCP_LENGTH = 128 * 1024
# Outputs name the algorithm that a socket used, also where none was asked for.
LINUX_ALGORITHM = "cubic"
# The port that a server listens on changes no figure.
_BESIDE = frozenset({"port"})


def determining_params(params: Parameters) -> Parameters:
    """The parameters without the port, and without a length that the program has anyway."""
    found = {name: value for name, value in params.items() if name not in _BESIDE}
    if found.get("protocol") == "tcp" and found.get("length") == TCP_LENGTH:
        del found["length"]
    return found


def as_asked(known: Parameters) -> Parameters:
    """The parameters of an output as a plan states them: Linux's own algorithm is none."""
    own = known.get("congestion") == LINUX_ALGORITHM
    return {**determining_params(known), **({"congestion": HOST} if own else {})}

"""Parameters of an output that determine its result, and the corresponding plan parameters."""

from __future__ import annotations

from apps.tools.iperf.fields import HOST
from apps.tools.values import Parameters

# Bytes per write of both programs over TCP without -l.
TCP_LENGTH = 128 * 1024
# Outputs contain the algorithm of the socket, also if none was requested.
LINUX_ALGORITHM = "cubic"
# The server's port does not change a result.
_IRRELEVANT = frozenset({"port"})


def determining_params(params: Parameters) -> Parameters:
    """Return the parameters without the port, and without the program's default length."""
    result = {name: value for name, value in params.items() if name not in _IRRELEVANT}
    if result.get("protocol") == "tcp" and result.get("length") == TCP_LENGTH:
        del result["length"]
    return result


def plan_params(known: Parameters) -> Parameters:
    """Return the parameters of an output as a plan has them.

    The default algorithm of Linux becomes "host".
    """
    is_default = known.get("congestion") == LINUX_ALGORITHM
    return {**determining_params(known), **({"congestion": HOST} if is_default else {})}

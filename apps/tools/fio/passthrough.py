"""The engine io_uring_cmd: NVMe commands on the generic device, beside the block layer."""

from __future__ import annotations

from apps.tools.messages import message
from apps.tools.targets import ToolTarget

from .options.newer import NVME as ENGINE
from .params import FioParams

NVME = "nvme"


def errors(params: FioParams, target: ToolTarget) -> dict[str, str]:
    """Return parameters that do not fit the target: name -> message."""
    if params.ioengine != ENGINE:
        return {}
    if target.kind != "disk":
        text = message("The engine io_uring_cmd sends NVMe commands to a disk: choose a disk.")
        return {"ioengine": text}
    if target.device_kind not in ("", NVME):
        return {"ioengine": message("The engine io_uring_cmd needs NVMe disks.")}
    return {}


def node(params: FioParams, number: str) -> str:
    """Return the placeholder of the file under test, a node of a claimed disk."""
    name = "ng" if params.ioengine == ENGINE else "target"
    return f"{{{name}{number}}}"

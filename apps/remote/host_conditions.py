"""Conditions of a host during a test, as the agent reports them (docs: agent.md)."""

from __future__ import annotations

from typing import Annotated, TypedDict

from msgspec import Meta

from apps.remote.response_values import Size

MAX_KERNEL_LINES = 10
MAX_OTHER_DISKS = 64
MAX_IO_LIMITS = 32


class KernelErrors(TypedDict):
    """Number of errors in the kernel log during a test, and the first of them."""

    count: Size
    lines: Annotated[list[str], Meta(max_length=MAX_KERNEL_LINES)]


class HostConditions(TypedDict, total=False):
    """Conditions of a host during a test. A value is None if the host does not report it.

    `throttle_count`: how often CPUs lowered their frequency for heat; `steal_percent`: CPU time of
    the hypervisor's other guests; `cpu_wait_percent`: time in which a task waited for a CPU;
    `runnable`: tasks that run or wait, mean of the begin and the end; `other_disks`: bytes read and
    written by disks that are not under test; `io_limits`: "read_bps loop0 1048576" of the control
    groups.
    """

    kernel_errors: KernelErrors | None
    throttle_count: Size | None
    steal_percent: float | None
    cpu_wait_percent: float | None
    runnable: float | None
    other_disks: Annotated[dict[str, tuple[Size, Size]], Meta(max_length=MAX_OTHER_DISKS)]
    io_limits: Annotated[list[str], Meta(max_length=MAX_IO_LIMITS)]

"""Kinds of conditions that may explain a difference between repeats."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class Kind(StrEnum):
    """Kind of a condition; the order is that of the list when the fit is equal."""

    KERNEL_ERRORS = "kernel_errors"
    SETTING = "setting"
    CONFIGURATION = "configuration"
    IO_LIMIT = "io_limit"
    DISK_LOAD = "disk_load"
    NEIGHBOUR = "neighbour"
    OTHER_DISKS = "other_disks"
    THROTTLING = "throttling"
    STEAL = "steal"
    CPU_LOAD = "cpu_load"
    TEMPERATURE = "temperature"
    NETWORK_LOAD = "network_load"
    MEMORY = "memory"
    WARNING = "warning"
    FIRST_REPEAT = "first_repeat"


@dataclass(frozen=True)
class KindText:
    """Texts of a kind: its name, and how the deciding run varies it and holds it constant."""

    label: Promise
    vary: Promise
    hold: Promise


_SET_BOTH: Final = _("measure with both values of “{name}”, one tuning profile each")
TEXTS: Final[dict[Kind, KindText]] = {
    Kind.KERNEL_ERRORS: KindText(
        _("Errors in the kernel log during the test"),
        _("move the test to another port, cable or disk"),
        _("check after the run that the kernel log has no new error"),
    ),
    Kind.SETTING: KindText(
        _("Setting"), _SET_BOTH, _("set “{name}” to one value in every tuning profile")
    ),
    Kind.CONFIGURATION: KindText(
        _("Configuration"),
        _("measure with both states of “{name}”, in turn"),
        _("leave “{name}” unchanged"),
    ),
    Kind.IO_LIMIT: KindText(
        _("I/O limit of the control group"),
        _("measure with and without the I/O limit, in turn"),
        _("remove the I/O limit"),
    ),
    Kind.DISK_LOAD: KindText(
        _("Other I/O on the disk"),
        _("measure with and without a background load on the disk"),
        _("stop everything else that uses the disk"),
    ),
    Kind.NEIGHBOUR: KindText(
        _("Another run at the same time"),
        _("measure with and without the other run"),
        _("start no other run on these hosts, controllers and switches"),
    ),
    Kind.OTHER_DISKS: KindText(
        _("I/O on other disks of the host"),
        _("measure with and without a background load on another disk of the host"),
        _("stop the I/O on the other disks"),
    ),
    Kind.THROTTLING: KindText(
        _("CPU throttling"),
        _("measure once with a low and once with a full CPU load before"),
        _("let the CPUs cool down before each repeat"),
    ),
    Kind.STEAL: KindText(
        _("CPU time taken by the hypervisor"),
        _("measure with and without load on the other virtual machines"),
        _("pin the virtual CPUs, or stop the other virtual machines"),
    ),
    Kind.CPU_LOAD: KindText(
        _("CPU load of other processes"),
        _("measure with and without a CPU load beside the test"),
        _("stop the other processes"),
    ),
    Kind.TEMPERATURE: KindText(
        _("Temperature"),
        _("measure directly after a load, and after a pause"),
        _("wait before each repeat until the temperature is the same"),
    ),
    Kind.NETWORK_LOAD: KindText(
        _("Network traffic of the host"),
        _("measure with and without a background load on the network"),
        _("stop the other network traffic"),
    ),
    Kind.MEMORY: KindText(
        _("Memory in use"),
        _("measure with much and with little free memory"),
        _("free the memory before each repeat"),
    ),
    Kind.WARNING: KindText(
        _("Warning of the test"),
        _("repeat the test with and without the warned condition"),
        _("remove the reason of the warning"),
    ),
    Kind.FIRST_REPEAT: KindText(
        _("First repeat of a run"),
        _("repeat the test often in one run, and once in several runs"),
        _("add one repeat to warm up, and leave it out"),
    ),
}

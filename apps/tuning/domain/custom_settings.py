"""Settings whose names the author writes: kernel settings (sysctl), attributes of a disk's I/O
scheduler, interrupts, options of Ceph.

Such as kernel.pid_max = 4194303, and osd_max_backfills = 4 in Ceph's section osd. Which kernel
settings may be lent is decided by the agent's own list, so that the form and the host say the same.
"""

from __future__ import annotations

import re

from django.utils.translation import gettext as _

from apps.remote.agent.ceph.conf_names import is_option_allowed
from apps.remote.agent.tuning import iosched_names
from apps.remote.agent.tuning.irq_names import SPREAD, is_cpu_value, is_pattern
from apps.remote.agent.tuning.sysctl_names import is_allowed
from apps.tuning.schemas.settings import (
    CEPH,
    CEPH_CONF,
    IRQ,
    POOL,
    QUEUE,
    SYSCTL,
    Setting,
    SettingKindName,
)

LONGEST_VALUE = 200
MOST_SETTINGS = 200

_SYSCTL_NAME = re.compile(r"[a-z0-9_]+(?:[./][a-z0-9_-]+){1,5}", re.ASCII)
# Ceph's own words for who an option is for (doc: Configuring Ceph, "Configuration sections").
_SECTION = re.compile(r"global|(?:mon|mgr|osd|mds|client)(?:\.[A-Za-z0-9_-]{1,60})?", re.ASCII)
# Sections of a ceph.conf that OSDs read.
_OF_OSDS = ("global", "osd")
_OPTION = re.compile(r"[a-z][a-z0-9_]{1,79}", re.ASCII)
# One line of printable text: it becomes one argument of `ceph config set`, or one file of
# /proc/sys.
# A kernel setting is a number or a few (tcp_rmem has three), but for these, which are names.
_NUMBERS = re.compile(r"-?[0-9]+(?: -?[0-9]+)*", re.ASCII)
_NAMES = re.compile(r"[a-z0-9_-]+(?: [a-z0-9_-]+)*", re.ASCII)
_NAMED = re.compile(r"net\.core\.default_qdisc|net\.ipv4\.tcp_.*congestion_control")
_VALUE = re.compile(rf"[^\x00-\x1f\x7f]{{1,{LONGEST_VALUE}}}")


def free_setting(kind: SettingKindName, name: str, value: object, section: str = "") -> Setting:
    """One checked setting of either kind. Raises ValueError with a sentence."""
    plain = " ".join(str(value).split())
    if not _VALUE.fullmatch(plain):
        raise ValueError(_("A value is one line of 1 to %d characters.") % LONGEST_VALUE)
    if kind == SYSCTL:
        name = _sysctl_name(name)
        return Setting(SYSCTL, name, _sysctl_value(name, plain))
    if kind == IRQ:
        return _of_interrupts(name, plain)
    if kind == QUEUE:
        return _of_the_scheduler(name, plain)
    if kind == CEPH_CONF:
        return _of_the_file(name, plain, section or "osd")
    section = section or "global"
    if not _SECTION.fullmatch(section):
        text = _("%s is no section of Ceph's: global, mon, mgr, osd, osd.3, mds, client ...")
        raise ValueError(text % section)
    return Setting(CEPH, _option_name(name), plain, section)


def of_a_scheduler(setting: Setting) -> bool:
    """Whether it is an attribute of a disk's I/O scheduler."""
    return setting.kind == QUEUE and setting.name.startswith(iosched_names.PREFIX)


def _of_the_scheduler(name: str, value: str) -> Setting:
    """An attribute of the scheduler that a disk has during the test, after its sysfs file."""
    if not iosched_names.is_name(name):
        raise ValueError(_("An attribute of a scheduler is named like iosched/fifo_batch."))
    if not iosched_names.is_value(value):
        raise ValueError(_("Write a whole number."))
    return Setting(QUEUE, name, int(value))


def _of_interrupts(name: str, value: str) -> Setting:
    """The CPUs of all interrupts whose names match, or of those of the disks under test."""
    if not is_pattern(name):
        raise ValueError(_("Interrupts are named like irq:eth0* or irq:disks."))
    cpus = value.replace(" ", "")
    if not is_cpu_value(cpus):
        text = _("%(name)s takes CPUs, such as 0-3,8, or %(spread)s: one CPU each, in turn.")
        raise ValueError(text % {"name": name, "spread": SPREAD})
    return Setting(IRQ, name, cpus)


def _of_the_file(name: str, value: str, section: str) -> Setting:
    """An option of all OSDs behind a pool, in their ceph.conf."""
    if section not in _OF_OSDS:
        text = _("benchlab restarts no daemons but all OSDs behind a pool: not those of [%s].")
        raise ValueError(text % section)
    option = _option_name(name)
    if not is_option_allowed(option, value):
        text = _("%s is no option of an OSD that benchlab lends, or this is no value for it.")
        raise ValueError(text % option)
    return Setting(CEPH_CONF, option, value, "osd", POOL)


def _sysctl_name(name: str) -> str:
    if not _SYSCTL_NAME.fullmatch(name):
        raise ValueError(_("A kernel setting is named like kernel.pid_max."))
    if not is_allowed(name):
        raise ValueError(_("%s is not among the kernel settings that benchlab lends.") % name)
    return name


def _sysctl_value(name: str, value: str) -> str:
    named = _NAMED.fullmatch(name)
    if not (_NAMES if named else _NUMBERS).fullmatch(value):
        kind = _("a name") if named else _("a whole number, or several with blanks between")
        raise ValueError(_("%(name)s takes %(kind)s.") % {"name": name, "kind": kind})
    return value


def _option_name(name: str) -> str:
    # "osd max backfills" and "osd-max-backfills" are the same option (Ceph's configuration manual).
    plain = re.sub(r"[ \-]+", "_", name.strip())
    if not _OPTION.fullmatch(plain):
        raise ValueError(_("An option of Ceph is named like osd_max_backfills."))
    return plain

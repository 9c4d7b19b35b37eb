"""Settings with names chosen by the author.

They are kernel settings (kernel.pid_max = 4194303), attributes of a disk's I/O scheduler,
interrupts, and options of Ceph (osd_max_backfills = 4 in section osd). The agent's list decides
which kernel settings are allowed, so form and host agree.
"""

from __future__ import annotations

import re

from django.utils.translation import gettext as _

from apps.remote.agent.ceph.conf_names import is_option_allowed, is_secret
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

MAX_VALUE_LENGTH = 200
MAX_SETTINGS = 200

_SYSCTL_NAME = re.compile(r"[a-z0-9_]+(?:[./][a-z0-9_-]+){1,5}", re.ASCII)
# Sections of Ceph's configuration (doc: Configuring Ceph, "Configuration sections").
_SECTION = re.compile(r"global|(?:mon|mgr|osd|mds|client)(?:\.[A-Za-z0-9_-]{1,60})?", re.ASCII)
# Sections of a ceph.conf by the daemons that are restarted for their options.
_DAEMON_SECTIONS = {"global": "osd", "osd": "osd", "mon": "mon", "mds": "mds"}
_OPTION = re.compile(r"[a-z][a-z0-9_]{1,79}", re.ASCII)
# One line of printable text: it becomes one argument of `ceph config set`, or one file of
# /proc/sys.
# A kernel setting is one or several numbers (tcp_rmem has three), except these, which are names.
_NUMBERS = re.compile(r"-?[0-9]+(?: -?[0-9]+)*", re.ASCII)
_NAMES = re.compile(r"[a-z0-9_-]+(?: [a-z0-9_-]+)*", re.ASCII)
_NAMED = re.compile(r"net\.core\.default_qdisc|net\.ipv4\.tcp_.*congestion_control")
_VALUE = re.compile(rf"[^\x00-\x1f\x7f]{{1,{MAX_VALUE_LENGTH}}}")


def custom_setting(kind: SettingKindName, name: str, value: object, section: str = "") -> Setting:
    """Return a checked setting of any of these kinds.

    Raises: ValueError with a sentence.
    """
    plain = " ".join(str(value).split())
    if not _VALUE.fullmatch(plain):
        raise ValueError(_("A value is one line of 1 to %d characters.") % MAX_VALUE_LENGTH)
    if kind == SYSCTL:
        name = _sysctl_name(name)
        return Setting(SYSCTL, name, _sysctl_value(name, plain))
    if kind == IRQ:
        return _irq_setting(name, plain)
    if kind == QUEUE:
        return _scheduler_setting(name, plain)
    if kind == CEPH_CONF:
        return _ceph_conf_setting(name, plain, section or "osd")
    section = section or "global"
    if not _SECTION.fullmatch(section):
        text = _("%s is no section of Ceph's: global, mon, mgr, osd, osd.3, mds, client ...")
        raise ValueError(text % section)
    return Setting(CEPH, _public_option_name(name), plain, section)


def is_scheduler_attribute(setting: Setting) -> bool:
    """Return True for an attribute of a disk's I/O scheduler."""
    return setting.kind == QUEUE and setting.name.startswith(iosched_names.PREFIX)


def _scheduler_setting(name: str, value: str) -> Setting:
    """Return an attribute of the disk's scheduler during the test, named by its sysfs file."""
    if not iosched_names.is_name(name):
        raise ValueError(_("An attribute of a scheduler is named like iosched/fifo_batch."))
    if not iosched_names.is_value(value):
        raise ValueError(_("Write a whole number."))
    return Setting(QUEUE, name, int(value))


def _irq_setting(name: str, value: str) -> Setting:
    """Return the CPUs of all interrupts with matching names, or of the disks under test."""
    if not is_pattern(name):
        raise ValueError(_("Interrupts are named like irq:eth0* or irq:disks."))
    cpus = value.replace(" ", "")
    if not is_cpu_value(cpus):
        text = _("%(name)s takes CPUs, such as 0-3,8, or %(spread)s: one CPU each, in turn.")
        raise ValueError(text % {"name": name, "spread": SPREAD})
    return Setting(IRQ, name, cpus)


def _ceph_conf_setting(name: str, value: str, section: str) -> Setting:
    """Return an option of all daemons of a kind behind a pool, in their ceph.conf."""
    if section not in _DAEMON_SECTIONS:
        text = _("benchlab restarts all OSDs, monitors or MDS behind a pool: not those of [%s].")
        raise ValueError(text % section)
    option = _public_option_name(name)
    if not is_option_allowed(option, value):
        text = _("%s is no option of a daemon that benchlab sets, or this is no value for it.")
        raise ValueError(text % option)
    return Setting(CEPH_CONF, option, value, _DAEMON_SECTIONS[section], POOL)


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


def _public_option_name(name: str) -> str:
    """Return the name of an option that is no secret.

    Raises: ValueError.
    """
    option = _option_name(name)
    if is_secret(option):
        text = _("%s is about authentication: benchlab never changes who may use a cluster.")
        raise ValueError(text % option)
    return option

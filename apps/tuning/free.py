"""Settings whose names the author writes: kernel settings (sysctl) and options of Ceph.

Rows are {"kind": "sysctl", "name": "kernel.pid_max", "value": "4194303"} and {"kind": "ceph",
"section": "osd", "name": "osd_max_backfills", "value": "4"}. Which kernel settings may be lent is
decided by the agent's own list, so that the form and the host say the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from apps.remote.agent.sysctl_names import allowed

SYSCTL = "sysctl"
CEPH = "ceph"
LONGEST_VALUE = 200
MOST_ROWS = 200

_SYSCTL_NAME = re.compile(r"[a-z0-9_]+(?:[./][a-z0-9_-]+){1,5}", re.ASCII)
# Ceph's own words for who an option is for (doc: Configuring Ceph, "Configuration sections").
_SECTION = re.compile(r"global|(?:mon|mgr|osd|mds|client)(?:\.[A-Za-z0-9_-]{1,60})?", re.ASCII)
_OPTION = re.compile(r"[a-z][a-z0-9_]{1,79}", re.ASCII)
# One line of printable text: it becomes one argument of `ceph config set`, or one file of
# /proc/sys.
# A kernel setting is a number or a few (tcp_rmem has three), but for these, which are names.
_NUMBERS = re.compile(r"-?[0-9]+(?: -?[0-9]+)*", re.ASCII)
_NAMES = re.compile(r"[a-z0-9_-]+(?: [a-z0-9_-]+)*", re.ASCII)
_NAMED = re.compile(r"net\.core\.default_qdisc|net\.ipv4\.tcp_.*congestion_control")
_VALUE = re.compile(rf"[^\x00-\x1f\x7f]{{1,{LONGEST_VALUE}}}")


def free_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """One checked row of either kind. Raises ValueError with a sentence."""
    name, value = str(row.get("name", "")), " ".join(str(row.get("value", "")).split())
    if not _VALUE.fullmatch(value):
        raise ValueError(_("A value is one line of 1 to %d characters.") % LONGEST_VALUE)
    if row["kind"] == SYSCTL:
        name = _sysctl_name(name)
        return {"kind": SYSCTL, "name": name, "value": _sysctl_value(name, value)}
    section = str(row.get("section") or "global")
    if not _SECTION.fullmatch(section):
        text = _("%s is no section of Ceph's: global, mon, mgr, osd, osd.3, mds, client ...")
        raise ValueError(text % section)
    return {"kind": CEPH, "section": section, "name": _option_name(name), "value": value}


def _sysctl_name(name: str) -> str:
    if not _SYSCTL_NAME.fullmatch(name):
        raise ValueError(_("A kernel setting is named like kernel.pid_max."))
    if not allowed(name):
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


def free_key(row: Mapping[str, Any]) -> str:
    """What tells a row from the others of its profile: "kernel.pid_max", "osd/osd_op_threads"."""
    return f"{row['section']}/{row['name']}" if row.get("section") else str(row["name"])

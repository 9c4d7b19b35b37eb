"""Parse settings of kernels, queues, CPUs and interrupts.

Accepted are lines of sysctl.conf(5), `sysctl -w` and `echo value > /sys/...`, below headings with
their scope. Valid lines become settings; each other line gives a sentence with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from django.utils.translation import gettext as _

from apps.remote.agent.tuning.iosched_names import PREFIX
from apps.tuning.domain.ceph_conf_parser import LEFT_OUT, ParsedSettings, collect_settings, lines_of
from apps.tuning.domain.custom_settings import custom_setting, is_scheduler_attribute
from apps.tuning.domain.setting_catalog import SETTINGS
from apps.tuning.domain.settings import at, typed_setting
from apps.tuning.schemas.settings import (
    CLIENTS,
    GOVERNOR,
    IRQ,
    POOL,
    QUEUE,
    SERVERS,
    SYSCTL,
    Setting,
    SettingScope,
)

HEADINGS: dict[str, SettingScope] = {
    "clients": CLIENTS,
    "servers": SERVERS,
    "pool": POOL,
    "all": "",
}
_HEADING = re.compile(r"\[\s*(\w+)\s*\]")
_ECHO = re.compile(
    r"""echo\s+(?:-n\s+)?["']?([^"'>|]+?)["']?\s*(?:>|\|\s*(?:sudo\s+)?tee\s)\s*(\S+)"""
)
_PROC = re.compile(r"/proc/sys/([a-z0-9_./-]+)")
_QUEUE = re.compile(r"/sys/(?:class/)?block/[^/\s]+/queue/([a-z_]+(?:/[a-z0-9_]+)?)")
_GOVERNOR = re.compile(r"/sys/devices/system/cpu/[^\s]+/(scaling_governor)")
_IRQ = re.compile(r"/proc/irq/[^\s]+/smp_affinity(?:_list)?")
_TYPED = (QUEUE, GOVERNOR)
_SYSCTL = re.compile(r"sysctl\s+(?:-w\s+|--write\s+)?(\S.*)")


def parse_lines(text: str) -> ParsedSettings:
    """Parse settings below headings [pool], [clients], [servers].

    Lines are "kernel.pid_max = 4194303" or "echo 2 > /sys/block/vdb/queue/rq_affinity". The last
    line of a setting takes precedence.
    """
    return collect_settings(_settings(text))


def _settings(text: str) -> Iterator[Setting | str]:
    scope: SettingScope = ""
    for number, line in lines_of(text, quoted=False):
        plain = line.removeprefix("sudo ").strip()
        heading = _HEADING.fullmatch(plain)
        try:
            if heading:
                scope = _heading(heading.group(1))
            else:
                yield at(_setting(plain), scope)
        except ValueError as error:
            yield _(LEFT_OUT) % {"number": number, "why": error}


def _heading(name: str) -> SettingScope:
    if name.lower() not in HEADINGS:
        raise ValueError(_("a heading is one of: %s.") % ", ".join(f"[{one}]" for one in HEADINGS))
    return HEADINGS[name.lower()]


def _setting(line: str) -> Setting:
    """Parse one line.

    Raises: ValueError with the reason why it is no setting.
    """
    if echo := _ECHO.fullmatch(line):
        return _file_setting(echo.group(2), echo.group(1).strip())
    match = _SYSCTL.fullmatch(line)
    name, equals, value = (match.group(1) if match else line).partition("=")
    if not equals:
        raise ValueError(_("it has no “name = value”."))
    return _named_setting(name.strip(), value.strip().strip("\"'"))


def _file_setting(path: str, value: str) -> Setting:
    """Return the setting that a line writes to a file.

    The disk in the path is ignored: a profile applies to the disks of its test.
    """
    if match := _PROC.fullmatch(path):
        return custom_setting(SYSCTL, match.group(1).replace("/", "."), value)
    if match := _QUEUE.fullmatch(path):
        return _queue_setting(match.group(1), value)
    if match := _GOVERNOR.fullmatch(path):
        return typed_setting(GOVERNOR, match.group(1), value)
    if _IRQ.fullmatch(path):
        raise ValueError(_("numbers of interrupts change: write irq:eth0* = 0-3, by their names."))
    raise ValueError(_("%s is no setting that benchlab lends.") % path)


def _queue_setting(name: str, value: str) -> Setting:
    return custom_setting(QUEUE, name, value) if "/" in name else typed_setting(QUEUE, name, value)


def _named_setting(name: str, value: str) -> Setting:
    if name.startswith("irq:"):
        return custom_setting(IRQ, name, value)
    if name.startswith(PREFIX):
        return custom_setting(QUEUE, name, value)
    dotted = name.replace("/", ".")
    if "." in dotted:
        return custom_setting(SYSCTL, dotted, value)
    definition = SETTINGS.get(name)
    return typed_setting(definition.kind if definition else QUEUE, name, value)


def write_lines(settings: Iterable[Setting]) -> str:
    """Format custom settings, and typed ones with a scope, for `parse_lines`."""
    written = [one for one in settings if _is_custom(one) or (one.kind in _TYPED and one.scope)]
    parts = ["\n".join(_line(one) for one in written if not one.scope)]
    for heading, scope in HEADINGS.items():
        scoped = [_line(one) for one in written if scope and one.scope == scope]
        parts += ["\n".join([f"[{heading}]", *scoped])] if scoped else []
    return "\n\n".join(part for part in parts if part)


def _is_custom(setting: Setting) -> bool:
    return setting.kind in (SYSCTL, IRQ) or is_scheduler_attribute(setting)


def _line(setting: Setting) -> str:
    return f"{setting.name} = {setting.value}"

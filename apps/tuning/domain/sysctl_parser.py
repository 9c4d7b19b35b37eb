"""Settings of kernels, queues, CPUs and interrupts as people write or paste them: lines of
sysctl.conf(5), `sysctl -w` and `echo value > /sys/...`, under headings that say where they apply.

What is understood is kept, and of every other line it is said why it is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from django.utils.translation import gettext as _

from apps.remote.agent.tuning.iosched_names import PREFIX
from apps.tuning.domain.ceph_conf_parser import LEFT_OUT, ParsedSettings, gathered, lines_of
from apps.tuning.domain.custom_settings import free_setting, of_a_scheduler
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


def read_lines(text: str) -> ParsedSettings:
    """Lines such as "kernel.pid_max = 4194303", "echo 2 > /sys/block/vdb/queue/rq_affinity", and
    headings [pool], [clients], [servers]; a later line of the same setting wins.
    """
    return gathered(_settings(text))


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
    """One line's setting. Raises ValueError with the reason why it is none."""
    if echo := _ECHO.fullmatch(line):
        return _written(echo.group(2), echo.group(1).strip())
    asked = _SYSCTL.fullmatch(line)
    name, equals, value = (asked.group(1) if asked else line).partition("=")
    if not equals:
        raise ValueError(_("it has no “name = value”."))
    return _named(name.strip(), value.strip().strip("\"'"))


def _written(path: str, value: str) -> Setting:
    """The setting that a line writes to a file. The disk it names does not count: a tuning is for
    the disks of its test.
    """
    if found := _PROC.fullmatch(path):
        return free_setting(SYSCTL, found.group(1).replace("/", "."), value)
    if found := _QUEUE.fullmatch(path):
        return _of_a_queue(found.group(1), value)
    if found := _GOVERNOR.fullmatch(path):
        return typed_setting(GOVERNOR, found.group(1), value)
    if _IRQ.fullmatch(path):
        raise ValueError(_("numbers of interrupts change: write irq:eth0* = 0-3, by their names."))
    raise ValueError(_("%s is no setting that benchlab lends.") % path)


def _of_a_queue(name: str, value: str) -> Setting:
    return free_setting(QUEUE, name, value) if "/" in name else typed_setting(QUEUE, name, value)


def _named(name: str, value: str) -> Setting:
    if name.startswith("irq:"):
        return free_setting(IRQ, name, value)
    if name.startswith(PREFIX):
        return free_setting(QUEUE, name, value)
    dotted = name.replace("/", ".")
    if "." in dotted:
        return free_setting(SYSCTL, dotted, value)
    known = SETTINGS.get(name)
    return typed_setting(known.kind if known else QUEUE, name, value)


def write_lines(settings: Iterable[Setting]) -> str:
    """The kernel settings, interrupts, attributes of schedulers, and typed ones elsewhere than
    under test, as `read_lines` reads them.
    """
    shown = [one for one in settings if _is_free(one) or (one.kind in _TYPED and one.scope)]
    parts = ["\n".join(_line(one) for one in shown if not one.scope)]
    for heading, scope in HEADINGS.items():
        own = [_line(one) for one in shown if scope and one.scope == scope]
        parts += ["\n".join([f"[{heading}]", *own])] if own else []
    return "\n\n".join(part for part in parts if part)


def _is_free(setting: Setting) -> bool:
    return setting.kind in (SYSCTL, IRQ) or of_a_scheduler(setting)


def _line(setting: Setting) -> str:
    return f"{setting.name} = {setting.value}"

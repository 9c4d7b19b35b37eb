"""Options of OSDs that take effect when their daemon starts: lent in a section of our own in the
ceph.conf that it reads, by restarting one daemon after another. They outlive a restart of the host.

An option's value is what the daemon says of itself. While it does not run, it is what the file will
have it be.
"""

import errno
from typing import Dict, List, Optional, Tuple

from ..errors import ImpossibleError, RefusalError
from ..shapes import JournalSetting, Restart, Setting
from ..tuning.setting import SettingKind, line
from .conf_file import Sections, own_sections, write_sections
from .conf_names import lendable
from .connection import connection
from .daemons import Daemon, ask, daemon, process_of
from .osds import NOT_HERE
from .restarts import Way, restart
from .settings import meaning

CEPH_CONF = "ceph_conf"
NO_OPTION = "Tuning: osd.{}'s Ceph has no option {}."
NO_WAY = (
    "Tuning: osd.{} has no systemd unit, so nobody knows how to restart it; an admin can write "
    "down the command for its cluster."
)
LEFT = "Tuning: {} still has benchlab's lines of another test; its host's page says why."


class CephConfKind(SettingKind):
    """`identity` is the daemon: osd.3; `name` is the option's."""

    lasting = True
    together = True

    def __init__(self) -> None:
        # A restart that failed is not tried again for each further option.
        self.stuck = ""

    def forget(self) -> None:
        self.stuck = ""

    def objection(self, setting: Setting) -> str:
        name, value = setting["name"], str(setting["value"])
        if not lendable(name, value):
            return "{} = {} is no option of an OSD that can be lent.".format(name, value)
        if "restart" not in setting:
            return "nobody said how the daemon of {} is restarted.".format(name)
        return ""

    def snapshot(self, wanted: List[Setting]) -> List[JournalSetting]:
        fsid = cluster_id() if wanted else ""
        found: Dict[str, Daemon] = {}
        for identity in sorted({setting["identity"] for setting in wanted}):
            found[identity] = here(identity, fsid)
        settings, reasons = [], []  # type: List[JournalSetting], List[str]
        for asked in wanted:
            one = found[asked["identity"]]
            value = option_of(one.pid, asked["name"])
            if value is None:
                reasons.append(NO_OPTION.format(one.number, asked["name"]))
                continue
            entry = line(CEPH_CONF, asked["identity"], asked["name"], value, str(asked["value"]))
            entry["how"] = way_of(one, fsid, asked["restart"])
            settings.append(entry)
        if reasons:
            raise RefusalError(reasons)
        return settings

    def is_there(self, setting: JournalSetting) -> bool:
        return True

    def read(self, setting: JournalSetting) -> str:
        running, promised = running_value(setting), self.in_file(setting)
        if promised is not None and (running is None or running == setting["original"]):
            return promised
        return setting["original"] if running is None else running

    def in_file(self, setting: JournalSetting) -> Optional[str]:
        """The value in our section of the file, None without one."""
        return own_sections(file_of(setting)).get(setting["identity"], {}).get(setting["name"])

    def write(self, setting: JournalSetting, value: str) -> None:
        (reason,) = self.write_all([(setting, value)])
        if reason:
            raise OSError(errno.EIO, reason)

    def write_all(self, values: List[Tuple[JournalSetting, str]]) -> List[str]:
        try:
            if self.stuck:
                raise OSError(errno.EIO, self.stuck)
            write_down(values)
            restart(self.due(values))
            write_down(self.not_taken(values))
        except OSError as error:
            self.stuck = str(error.strerror)
            return [self.stuck] * len(values)
        return [""] * len(values)

    def not_taken(
        self, values: List[Tuple[JournalSetting, str]]
    ) -> List[Tuple[JournalSetting, str]]:
        """The options that their restarted daemon does not have as asked, with their originals."""
        found = []
        for setting, value in values:
            running = running_value(setting)
            if running is not None and not self.same(value, running):
                found.append((setting, setting["original"]))
        return found

    def due(self, values: List[Tuple[JournalSetting, str]]) -> Dict[int, Way]:
        """The OSDs that do not run with these values."""
        found = {}
        for setting, value in values:
            running = running_value(setting)
            if running is None or not self.same(value, running):
                how = setting["how"]
                found[number_of(setting["identity"])] = Way(how["fsid"], how["commands"])
        return found

    def same(self, asked: str, found: Optional[str]) -> bool:
        return asked == found or (found is not None and meaning(asked) == meaning(found))

    def let_go(self, setting: JournalSetting) -> None:
        write_down([(setting, setting["original"])])

    def whose(self, setting: JournalSetting) -> str:
        return setting["identity"]

    def lent(self, setting: JournalSetting) -> Tuple[str, ...]:
        return CEPH_CONF, file_of(setting)


def section_of(number: int) -> str:
    """The name of an OSD, which is also that of its section."""
    return "osd.{}".format(number)


def number_of(identity: str) -> int:
    """The number of an OSD by its name."""
    return int(identity.partition(".")[2])


def file_of(setting: JournalSetting) -> str:
    """The ceph.conf that its daemon reads."""
    return setting["how"]["file"]


def cluster_id() -> str:
    """The cluster this host is a client of. Raises OSError."""
    with connection() as ceph:
        return str((ceph.ask("fsid") or {}).get("fsid"))


def here(identity: str, fsid: str) -> Daemon:
    """The daemon, which runs on this host, and whose file has no lines of ours. Raises
    ImpossibleError or RefusalError.
    """
    found = daemon(number_of(identity), fsid)
    if found is None:
        raise ImpossibleError([NOT_HERE.format(number_of(identity))])
    if own_sections(found.file):
        raise RefusalError([LEFT.format(found.file)])
    return found


def way_of(one: Daemon, fsid: str, command: List[str]) -> Restart:
    """The way to restart the daemon: by the command of an admin, in which {id} is its number, or by
    its unit. A unit that was restarted often is told to forget that. Raises ImpossibleError.
    """
    if command:
        commands = [[word.replace("{id}", str(one.number)) for word in command]]
    elif one.unit:
        commands = [["systemctl", verb, one.unit] for verb in ("reset-failed", "restart")]
    else:
        raise ImpossibleError([NO_WAY.format(one.number)])
    return {"fsid": fsid, "file": one.file, "commands": commands}


def running_value(setting: JournalSetting) -> Optional[str]:
    """The option as the running daemon says it; None where it does not run."""
    pid = process_of(number_of(setting["identity"]), setting["how"]["fsid"])
    return None if pid is None else option_of(pid, setting["name"])


def option_of(pid: int, name: str) -> Optional[str]:
    """An option as its daemon says it; None where it knows none of that name."""
    value = ask(pid, {"prefix": "config get", "var": name}).get(name)
    return None if value is None else str(value)


def write_down(values: List[Tuple[JournalSetting, str]]) -> None:
    """Put values into the files of the daemons; an original needs no line. Raises OSError."""
    files: Dict[str, Sections] = {}
    for setting, value in values:
        path = file_of(setting)
        section = files.setdefault(path, own_sections(path)).setdefault(setting["identity"], {})
        section.pop(setting["name"], None)
        if value != setting["original"]:
            section[setting["name"]] = value
    for path, sections in files.items():
        write_sections(path, {name: rows for name, rows in sections.items() if rows})

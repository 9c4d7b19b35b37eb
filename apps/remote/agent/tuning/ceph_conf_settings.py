"""Settings of kind `ceph_conf`: options of daemons that take effect when the daemon starts.

Written to benchlab's lines of the daemon's ceph.conf; then the daemons are restarted one by one.
They survive a reboot. The value is the one the running daemon reports, else the one in the file.
"""

import errno
from functools import partial
from typing import Dict, List, Optional, Tuple

from ..ceph.conf_file import Sections, read_sections, write_sections
from ..ceph.conf_names import is_option_allowed
from ..ceph.daemon_names import DAEMON_KINDS, names_of, split_name
from ..ceph.daemons import Daemon, daemon, joins_quorum, process_of, socket_command
from ..ceph.mon_connection import local_cluster
from ..ceph.restarts import DaemonRestart, restart_daemons
from ..errors import RefusalError, TuningUnavailableError
from ..schema import JournalSetting, Restart, SettingSpec
from .ceph_settings import parse_value
from .setting import SettingKind, journal_line

CEPH_CONF = "ceph_conf"
NOT_LOCAL = "Tuning: {} does not run on this host now, so its settings cannot be applied."
NO_QUORUM = "Tuning: {} is not in the quorum now, so it is not restarted."
NO_OPTION = "Tuning: {}'s Ceph has no option {}."
NO_UNIT = (
    "Tuning: {} has no systemd unit, so the restart command is unknown; an admin can set "
    "the command for its cluster."
)
OTHER_LINES = "Tuning: {} still has benchlab's lines of another test; see the host's page."


class CephConfKind(SettingKind):
    """`identity` is the daemon, such as osd.3; `name` is the option."""

    survives_reboot = True
    is_batched = True

    def __init__(self) -> None:
        # A restart that failed is not tried again for each further option.
        self.stuck = ""

    def clear_cache(self) -> None:
        self.stuck = ""

    def validate(self, setting: SettingSpec) -> str:
        name, value = setting["name"], str(setting["value"])
        if not is_option_allowed(name, value):
            return "{} = {} is no option of a daemon that can be applied.".format(name, value)
        identity = setting["identity"]
        if not names_of(identity) and split_name(identity)[0] not in DAEMON_KINDS:
            return "{!r} names no daemon that can be restarted.".format(identity)
        if "restart" not in setting:
            return "the restart command for {} is missing.".format(name)
        return ""

    def snapshot(self, wanted: List[SettingSpec]) -> List[JournalSetting]:
        fsid = cluster_id() if wanted else ""
        result: Dict[str, Daemon] = {}
        for identity in sorted({setting["identity"] for setting in wanted}):
            result[identity] = local_daemon(identity, fsid)
        settings, reasons = [], []  # type: List[JournalSetting], List[str]
        for requested in wanted:
            one = result[requested["identity"]]
            value = daemon_option(one.pid, requested["name"])
            if value is None:
                reasons.append(NO_OPTION.format(one.name, requested["name"]))
                continue
            entry = journal_line(
                CEPH_CONF, requested["identity"], requested["name"], value, str(requested["value"])
            )
            entry["restart"] = restart_of(one, fsid, requested["restart"])
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
        """Return the value in benchlab's section of the file; None if there is none."""
        return read_sections(conf_path(setting)).get(setting["identity"], {}).get(setting["name"])

    def write(self, setting: JournalSetting, value: str) -> None:
        (reason,) = self.write_all([(setting, value)])
        if reason:
            raise OSError(errno.EIO, reason)

    def write_all(self, values: List[Tuple[JournalSetting, str]]) -> List[str]:
        try:
            if self.stuck:
                raise OSError(errno.EIO, self.stuck)
            write_files(values)
            restart_daemons(self.due(values))
            write_files(self.not_taken(values))
        except OSError as error:
            self.stuck = str(error.strerror)
            return [self.stuck] * len(values)
        return [""] * len(values)

    def not_taken(
        self, values: List[Tuple[JournalSetting, str]]
    ) -> List[Tuple[JournalSetting, str]]:
        """Return the options that their restarted daemon did not accept, with their originals."""
        result = []
        for setting, value in values:
            running = running_value(setting)
            if running is not None and not self.is_equal(value, running):
                result.append((setting, setting["original"]))
        return result

    def due(self, values: List[Tuple[JournalSetting, str]]) -> Dict[str, DaemonRestart]:
        """Return the daemons that do not run with these values."""
        by_daemon: Dict[str, List[Tuple[JournalSetting, str]]] = {}
        for setting, value in values:
            by_daemon.setdefault(setting["identity"], []).append((setting, value))
        result = {}
        for name, mine in by_daemon.items():
            is_due = partial(self.is_due, mine)
            if is_due():
                plan = mine[0][0]["restart"]
                result[name] = DaemonRestart(plan["fsid"], plan["commands"], is_due)
        return result

    def is_due(self, values: List[Tuple[JournalSetting, str]]) -> bool:
        """Return True if the daemon of these settings does not run with all values."""
        running = [(running_value(setting), value) for setting, value in values]
        return any(now is None or not self.is_equal(value, now) for now, value in running)

    def is_equal(self, requested: str, result: Optional[str]) -> bool:
        return requested == result or (
            result is not None and parse_value(requested) == parse_value(result)
        )

    def discard_own(self, setting: JournalSetting) -> None:
        write_files([(setting, setting["original"])])

    def owner(self, setting: JournalSetting) -> str:
        return setting["identity"]

    def targets(self, setting: JournalSetting) -> Tuple[str, ...]:
        return CEPH_CONF, conf_path(setting)


def conf_path(setting: JournalSetting) -> str:
    """Return the ceph.conf of the setting's daemon."""
    return setting["restart"]["file"]


def cluster_id() -> str:
    """Return the fsid of the host's cluster. Raises: OSError."""
    with local_cluster() as ceph:
        return str((ceph.query("fsid") or {}).get("fsid"))


def local_daemon(identity: str, fsid: str) -> Daemon:
    """Return the daemon on this host whose ceph.conf has no lines of benchlab.

    Raises: TuningUnavailableError, RefusalError.
    """
    result = daemon(identity, fsid)
    if result is None:
        raise TuningUnavailableError([NOT_LOCAL.format(identity)])
    if split_name(identity)[0] == "mon" and not joins_quorum(identity, fsid):
        raise RefusalError([NO_QUORUM.format(identity)])
    if read_sections(result.file):
        raise RefusalError([OTHER_LINES.format(result.file)])
    return result


def restart_of(one: Daemon, fsid: str, command: List[str]) -> Restart:
    """Return how to restart the daemon: the admin's command with {id} replaced, else its unit.

    `reset-failed` clears the start limit of the unit. Raises: TuningUnavailableError.
    """
    if command:
        commands = [[word.replace("{id}", split_name(one.name)[1]) for word in command]]
    elif one.unit:
        commands = [["systemctl", verb, one.unit] for verb in ("reset-failed", "restart")]
    else:
        raise TuningUnavailableError([NO_UNIT.format(one.name)])
    return {"fsid": fsid, "file": one.file, "commands": commands}


def running_value(setting: JournalSetting) -> Optional[str]:
    """Return the option as the running daemon reports it; None if it does not run."""
    pid = process_of(setting["identity"], setting["restart"]["fsid"])
    return None if pid is None else daemon_option(pid, setting["name"])


def daemon_option(pid: int, name: str) -> Optional[str]:
    """Return an option of a daemon; None if it has no such option."""
    value = socket_command(pid, {"prefix": "config get", "var": name}).get(name)
    return None if value is None else str(value)


def write_files(values: List[Tuple[JournalSetting, str]]) -> None:
    """Write values to the ceph.conf files; an original value needs no line. Raises: OSError."""
    files: Dict[str, Sections] = {}
    for setting, value in values:
        path = conf_path(setting)
        section = files.setdefault(path, read_sections(path)).setdefault(setting["identity"], {})
        section.pop(setting["name"], None)
        if value != setting["original"]:
            section[setting["name"]] = value
    for path, sections in files.items():
        write_sections(path, {name: rows for name, rows in sections.items() if rows})

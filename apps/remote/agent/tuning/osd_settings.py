"""Settings of kind `ceph_osd`: whether an OSD is in, and whether it runs on this host.

Only a disturbance changes them, in the middle of a job (disturbance/process.py). They are in the
journal as pending from the start of the job, so that every way of ending it restores them.
"""

import errno
import time
from typing import Any, Dict, List, Optional, Tuple

from ..ceph.ceph_cli import CephError
from ..ceph.daemon_names import split_name
from ..ceph.daemons import daemon, is_ready, process_of
from ..ceph.mon_connection import MonConnection, local_cluster
from ..ceph.restarts import run_commands
from ..errors import RefusalError
from ..schema import Disturbance, JournalSetting, SettingSpec
from .setting import SettingKind, journal_line

CEPH_OSD = "ceph_osd"
IN, RUNS = "in", "runs"
OUT, STOPPED = "0", "no"
RUNNING = "yes"
STOP_SECONDS, START_SECONDS = 60.0, 300.0
POLL_SECONDS = 0.25
NOT_LOCAL = "Disturbance: osd.{} does not run on this host now."
NO_UNIT = (
    "Disturbance: osd.{} has no systemd unit, so an admin has to set the commands that stop and "
    "start an OSD of its cluster."
)
FOREIGN = "this host is a client of another cluster now"
NOT_STOPPED = "osd.{} still runs {:.0f} seconds after it was stopped"
NOT_STARTED = "osd.{} does not take part {:.0f} seconds after it was started"
GONE = "the cluster has no osd.{}"


class OsdKind(SettingKind):
    """`identity` is the OSD, such as osd.3; `name` is "in" (its weight) or "runs" (yes, no)."""

    survives_reboot = True
    is_deferred = True

    is_readded = False

    def __init__(self, waits: bool = True) -> None:
        self.waits = waits

    def validate(self, setting: SettingSpec) -> str:
        return "only a disturbance changes the state of an OSD."

    def snapshot(self, wanted: List[SettingSpec]) -> List[JournalSetting]:
        return []

    def is_there(self, setting: JournalSetting) -> bool:
        if setting["name"] == RUNS:
            return True
        try:
            return self.weight(setting) is not None
        except OSError:
            return True

    def read(self, setting: JournalSetting) -> Optional[str]:
        if setting["name"] == RUNS:
            running = process_of(setting["identity"], setting["restart"]["fsid"]) is not None
            return RUNNING if running else STOPPED
        value = self.weight(setting)
        if value is None:
            raise OSError(errno.ENOENT, GONE.format(number_of(setting)))
        return value

    def weight(self, setting: JournalSetting) -> Optional[str]:
        """Return the weight of the OSD, "0" if it is out; None if it does not exist."""
        with local_cluster() as ceph:
            require_cluster(ceph, setting["restart"]["fsid"])
            return osd_weight(ceph.query("osd dump") or {}, number_of(setting))

    def write(self, setting: JournalSetting, value: str) -> None:
        if setting["name"] == RUNS:
            self.write_process(setting, value)
            return
        number = str(number_of(setting))
        with local_cluster() as ceph:
            require_cluster(ceph, setting["restart"]["fsid"])
            prefix = "osd out" if value == OUT else "osd in"
            send(ceph, {"prefix": prefix, "ids": [number]})
            if value != OUT and osd_weight(ceph.query("osd dump") or {}, int(number)) != value:
                send(ceph, {"prefix": "osd reweight", "id": int(number), "weight": float(value)})

    def write_process(self, setting: JournalSetting, value: str) -> None:
        """Stop or start the daemon; wait until it has ended, or takes part again if `waits`."""
        name, plan = setting["identity"], setting["restart"]
        stop, start = plan["commands"][:1], plan["commands"][1:]
        number = number_of(setting)
        if value == STOPPED:
            run_commands(stop)
            wait(lambda: process_of(name, plan["fsid"]) is None, STOP_SECONDS, NOT_STOPPED, number)
            return
        if process_of(name, plan["fsid"]) is None:
            run_commands(start)
        if self.waits:
            wait(
                lambda: is_ready("osd", process_of(name, plan["fsid"])),
                START_SECONDS,
                NOT_STARTED,
                number,
            )

    def owner(self, setting: JournalSetting) -> str:
        return setting["identity"]

    def targets(self, setting: JournalSetting) -> Tuple[str, ...]:
        return CEPH_OSD, setting["restart"]["fsid"]


def wait(condition: Any, seconds: float, sentence: str, number: int) -> None:
    """Wait until the condition holds. Raises: OSError after so many seconds."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise OSError(errno.ETIMEDOUT, sentence.format(number, seconds))
        time.sleep(POLL_SECONDS)


def require_cluster(ceph: MonConnection, fsid: str) -> None:
    """Raise CephError unless this is the cluster of the journal."""
    if str((ceph.query("fsid") or {}).get("fsid")) != fsid:
        raise CephError(FOREIGN)


def send(ceph: MonConnection, command: Dict[str, Any]) -> None:
    """Send a command. Raises: CephError with its error."""
    response = ceph.send(command)
    if response.error:
        raise CephError(response.error)


def osd_weight(dump: Dict[str, Any], number: int) -> Optional[str]:
    """Return the weight of an OSD in `ceph osd dump` as text; None if there is no such OSD."""
    for row in dump.get("osds") or []:
        if row.get("osd") == number:
            return "{:g}".format(float(row.get("weight") or 0.0))
    return None


def number_of(setting: JournalSetting) -> int:
    """Return the number of the OSD."""
    return int(split_name(setting["identity"])[1])


def weight_line(fsid: str, number: int, weight: str) -> JournalSetting:
    """Return the journal line of an OSD that will be out."""
    return pending_line(IN, fsid, number, weight, OUT, [])


def process_line(wanted: Disturbance) -> JournalSetting:
    """Return the journal line of an OSD that will be stopped. Raises: RefusalError."""
    number, fsid = wanted["osd"], wanted["fsid"]
    one = daemon("osd.{}".format(number), fsid)
    if one is None:
        raise RefusalError([NOT_LOCAL.format(number)])
    if wanted["stop"] and wanted["start"]:
        commands = [filled(wanted["stop"], number), filled(wanted["start"], number)]
    elif one.unit:
        commands = [["systemctl", verb, one.unit] for verb in ("stop", "start")]
    else:
        raise RefusalError([NO_UNIT.format(number)])
    return pending_line(RUNS, fsid, number, RUNNING, STOPPED, commands)


def filled(command: List[str], number: int) -> List[str]:
    """Return an admin's command for one OSD."""
    return [word.replace("{id}", str(number)) for word in command]


def pending_line(
    name: str, fsid: str, number: int, original: str, value: str, commands: List[List[str]]
) -> JournalSetting:
    """Return a line that may have either value from now on."""
    line = journal_line(CEPH_OSD, "osd.{}".format(number), name, original, value)
    line["step"] = "pending"
    line["restart"] = {"fsid": fsid, "file": "", "commands": commands}
    return line

"""Settings of kind `ceph`: options in the configuration database of the cluster (`ceph config`).

They survive a reboot of the host. The database normalises values: 4G becomes 4294967296. Source:
https://docs.ceph.com/en/latest/rados/configuration/ceph-conf/
"""

import errno
import re
from typing import Any, Dict, List, Optional, Tuple

from ..ceph.ceph_cli import MonCommand
from ..ceph.conf_names import is_secret
from ..ceph.mon_connection import MonResponse, send_commands
from ..errors import RefusalError
from ..schema import JournalSetting, SettingSpec
from .setting import SettingKind, journal_line, requested_value

CEPH = "ceph"
UNSET = "(not set)"  # not in the database: the option has its default
SECTION = re.compile(r"^(?:global|(?:mon|mgr|osd|mds|client)(?:\.[A-Za-z0-9_-]{1,60})?)$")
OPTION = re.compile(r"^[a-z][a-z0-9_]{1,79}$")
VALUE = re.compile(r"^[\x21-\x7e](?:[\x20-\x7e]{0,198}[\x21-\x7e])?$")
NUMBER = re.compile(r"^([+-]?[0-9.]+)([KMGTPE]?)i?B?$")
DUMP = {"prefix": "config dump", "format": "json"}
HELP = {"prefix": "config help", "format": "json"}
GET = {"prefix": "config get"}
NO_RUNTIME = (
    "Tuning: Ceph's {} takes effect only when daemons are restarted; of monitors, OSDs and MDS it "
    "can be applied as an option of their ceph.conf."
)


class CephKind(SettingKind):
    """`identity` is the section (global, osd, osd.3, client); `name` is the option."""

    survives_reboot = True
    is_batched = True

    def __init__(self) -> None:
        self.rows: Optional[List[Dict[str, Any]]] = None
        self.failure: Optional[OSError] = None

    def clear_cache(self) -> None:
        self.rows, self.failure = None, None

    def validate(self, setting: SettingSpec) -> str:
        if not SECTION.match(setting["identity"]):
            return "{!r} is no section of Ceph's configuration.".format(setting["identity"])
        if not OPTION.match(setting["name"]) or is_secret(setting["name"]):
            return "{!r} is not an option of Ceph that can be applied.".format(setting["name"])
        if not VALUE.match(str(setting["value"])) or str(setting["value"]) == UNSET:
            return "{!r} is no value for {}.".format(str(setting["value"]), setting["name"])
        return ""

    def snapshot(self, wanted: List[SettingSpec]) -> List[JournalSetting]:
        reasons = self.unavailable_reasons(wanted)
        if any(reasons):
            raise RefusalError([reason for reason in reasons if reason])
        settings = []
        for requested in wanted:
            identity, name = requested["identity"], requested["name"]
            original = self.read(journal_line(CEPH, identity, name))
            settings.append(journal_line(CEPH, identity, name, original, str(requested["value"])))
        return settings

    def unavailable_reasons(self, wanted: List[SettingSpec]) -> List[str]:
        """Return for each option why the running cluster would not accept it.

        Clients read their options at the start, so they need no restart.
        """
        requested = [dict(HELP, key=setting["name"]) for setting in wanted]
        responses = send_commands(requested)
        return [
            unavailable_reason(setting, responses[number]) for number, setting in enumerate(wanted)
        ]

    def is_there(self, setting: JournalSetting) -> bool:
        return True

    def read(self, setting: JournalSetting) -> str:
        for row in self.dump():
            mine = (row["section"], row["name"]) == (setting["identity"], setting["name"])
            if mine and not row.get("mask"):
                return str(row["value"])
        return UNSET

    def dump(self) -> List[Dict[str, Any]]:
        """Return the whole database, cached.

        The error is cached too, since each failed command takes the timeout.
        """
        if self.failure:
            raise self.failure
        try:
            rows = send_commands([DUMP])[0].json() or [] if self.rows is None else self.rows
        except OSError as error:
            self.failure = error
            raise
        self.rows = list(rows)
        return self.rows

    def write(self, setting: JournalSetting, value: str) -> None:
        (reason,) = self.write_all([(setting, value)])
        if reason:
            raise OSError(errno.EIO, reason)

    def write_all(self, values: List[Tuple[JournalSetting, str]]) -> List[str]:
        self.rows = None
        try:
            answers = send_commands([set_command(setting, value) for setting, value in values])
        except OSError as error:
            return [str(error.strerror)] * len(values)
        return [answer.error for answer in answers]

    def is_equal(self, requested: str, value: Optional[str]) -> bool:
        return requested == value or (
            value is not None and parse_value(requested) == parse_value(value)
        )

    def verify(self, settings: List[JournalSetting]) -> List[str]:
        """Report options that a narrower section or a mask overrides."""
        # `config get` accepts no section "global".
        checkable = [n for n, setting in enumerate(settings) if setting["identity"] != "global"]
        keys = [(settings[n]["identity"], settings[n]["name"]) for n in checkable]
        responses = send_commands([dict(GET, who=section, key=name) for section, name in keys])
        reasons = [""] * len(settings)
        for index, number in enumerate(checkable):
            reasons[number] = self.verify_one(settings[number], responses[index])
        return reasons

    def verify_one(self, setting: JournalSetting, response: MonResponse) -> str:
        """Compare a setting with the response of `config get`."""
        value = response.text.strip()
        if response.error:
            return response.error
        if self.is_equal(requested_value(setting), value):
            return ""
        return "ceph config get returns {}, a narrower section is set".format(value)

    def owner(self, setting: JournalSetting) -> str:
        return "Ceph's section {}".format(setting["identity"])

    def targets(self, setting: JournalSetting) -> Tuple[str, ...]:
        return CEPH, setting["identity"], setting["name"]


def set_command(setting: JournalSetting, value: str) -> MonCommand:
    """Return the command that sets an option, or removes it from the database."""
    target = {"who": setting["identity"], "name": setting["name"]}
    if value == UNSET:
        return dict(target, prefix="config rm")
    return dict(target, prefix="config set", value=value)


def unavailable_reason(setting: SettingSpec, response: MonResponse) -> str:
    """Return why an option cannot be applied, from `config help`.

    Raises: OSError for other errors.
    """
    if response.error and "ENOENT" in response.error:
        return "Tuning: this cluster's Ceph has no option {}.".format(setting["name"])
    description: Any = response.json() or {}
    if description.get("can_update_at_runtime", True) or setting["identity"].startswith("client"):
        return ""
    return NO_RUNTIME.format(setting["name"])


def parse_value(text: str) -> Any:
    """Return a value as Ceph parses it: a number with a binary unit, or a boolean."""
    words: Dict[str, Any] = {"true": 1.0, "false": 0.0}
    match = NUMBER.match(text)
    if not match:
        return words.get(text.lower(), text)
    try:
        return float(match.group(1)) * 1024 ** " KMGTPE".index(match.group(2) or " ")
    except ValueError:
        return text

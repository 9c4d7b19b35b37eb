"""Options of Ceph that can be lent, in the cluster's own configuration database (`ceph config`,
https://docs.ceph.com/en/latest/rados/configuration/ceph-conf/). They outlive a restart of the host.

The database keeps a value as Ceph writes it: 4G becomes 4294967296, 0.5 becomes 0.500000.
"""

import errno
import re
from typing import Any, Dict, List, Optional, Tuple

from ..errors import RefusalError
from ..shapes import JournalSetting, Setting
from ..tuning.setting import SettingKind, asked_value, line
from .command import Question
from .connection import Answer, ask_cluster

CEPH = "ceph"
UNSET = "(not set)"  # the database says nothing: the option has its default
SECTION = re.compile(r"^(?:global|(?:mon|mgr|osd|mds|client)(?:\.[A-Za-z0-9_-]{1,60})?)$")
OPTION = re.compile(r"^[a-z][a-z0-9_]{1,79}$")
VALUE = re.compile(r"^[\x21-\x7e](?:[\x20-\x7e]{0,198}[\x21-\x7e])?$")
SECRETS = re.compile(r"auth|cephx|keyring|keyfile|key$|secret|passw")
NUMBER = re.compile(r"^([+-]?[0-9.]+)([KMGTPE]?)i?B?$")
DUMP = {"prefix": "config dump", "format": "json"}
ABOUT = {"prefix": "config help", "format": "json"}
GET = {"prefix": "config get"}
NO_RUNTIME = (
    "Tuning: Ceph's {} takes effect only when daemons are restarted; of OSDs it can be lent as an "
    "option of their ceph.conf."
)


class CephKind(SettingKind):
    """`identity` is the section: global, osd, osd.3, client; `name` is the option's."""

    lasting = True
    together = True

    def __init__(self) -> None:
        self.known: Optional[List[Dict[str, Any]]] = None
        self.failure: Optional[OSError] = None

    def forget(self) -> None:
        self.known, self.failure = None, None

    def objection(self, setting: Setting) -> str:
        if not SECTION.match(setting["identity"]):
            return "{!r} is no section of Ceph's configuration.".format(setting["identity"])
        if not OPTION.match(setting["name"]) or SECRETS.search(setting["name"]):
            return "{!r} is not an option of Ceph that can be lent.".format(setting["name"])
        if not VALUE.match(str(setting["value"])) or str(setting["value"]) == UNSET:
            return "{!r} is no value for {}.".format(str(setting["value"]), setting["name"])
        return ""

    def snapshot(self, wanted: List[Setting]) -> List[JournalSetting]:
        reasons = self.unfit(wanted)
        if any(reasons):
            raise RefusalError([reason for reason in reasons if reason])
        settings = []
        for asked in wanted:
            identity, name = asked["identity"], asked["name"]
            original = self.read(line(CEPH, identity, name))
            settings.append(line(CEPH, identity, name, original, str(asked["value"])))
        return settings

    def unfit(self, wanted: List[Setting]) -> List[str]:
        """Why the cluster would not take each option while it runs, as a sentence. What a client is
        told it knows when it begins, so for clients no restart is needed.
        """
        asked = [dict(ABOUT, key=setting["name"]) for setting in wanted]
        told = ask_cluster(asked)
        return [unfit_by(setting, told[number]) for number, setting in enumerate(wanted)]

    def is_there(self, setting: JournalSetting) -> bool:
        return True

    def read(self, setting: JournalSetting) -> str:
        for row in self.dump():
            mine = (row["section"], row["name"]) == (setting["identity"], setting["name"])
            if mine and not row.get("mask"):
                return str(row["value"])
        return UNSET

    def dump(self) -> List[Dict[str, Any]]:
        """Everything in the database. A cluster that does not answer is not asked for every setting
        again: each would take as long.
        """
        if self.failure:
            raise self.failure
        try:
            known = ask_cluster([DUMP])[0].json() or [] if self.known is None else self.known
        except OSError as error:
            self.failure = error
            raise
        self.known = list(known)
        return self.known

    def write(self, setting: JournalSetting, value: str) -> None:
        (reason,) = self.write_all([(setting, value)])
        if reason:
            raise OSError(errno.EIO, reason)

    def write_all(self, values: List[Tuple[JournalSetting, str]]) -> List[str]:
        self.known = None
        try:
            answers = ask_cluster([changing(setting, value) for setting, value in values])
        except OSError as error:
            return [str(error.strerror)] * len(values)
        return [answer.error for answer in answers]

    def same(self, asked: str, found: Optional[str]) -> bool:
        return asked == found or (found is not None and meaning(asked) == meaning(found))

    def doubts(self, settings: List[JournalSetting]) -> List[str]:
        """A value for some hosts or disks of a section goes before one for all of it."""
        # Nobody is called global, so there is nobody to ask for.
        narrow = [n for n, setting in enumerate(settings) if setting["identity"] != "global"]
        where = [(settings[n]["identity"], settings[n]["name"]) for n in narrow]
        said = ask_cluster([dict(GET, who=section, key=name) for section, name in where])
        found = [""] * len(settings)
        for place, number in enumerate(narrow):
            found[number] = self.doubt(settings[number], said[place])
        return found

    def doubt(self, setting: JournalSetting, said: Answer) -> str:
        """The same for one, from what `config get` said."""
        found = said.text.strip()
        if said.error:
            return said.error
        if self.same(asked_value(setting), found):
            return ""
        return "ceph config get says {}, something narrower is set".format(found)

    def whose(self, setting: JournalSetting) -> str:
        return "Ceph's section {}".format(setting["identity"])

    def lent(self, setting: JournalSetting) -> Tuple[str, ...]:
        return CEPH, setting["identity"], setting["name"]


def changing(setting: JournalSetting, value: str) -> Question:
    """The command that sets an option, or takes it out of the database."""
    where = {"who": setting["identity"], "name": setting["name"]}
    if value == UNSET:
        return dict(where, prefix="config rm")
    return dict(where, prefix="config set", value=value)


def unfit_by(setting: Setting, told: Answer) -> str:
    """Why an option cannot be lent, from what `config help` said. Raises OSError with any other
    complaint.
    """
    if told.error and "ENOENT" in told.error:
        return "Tuning: this cluster's Ceph has no option {}.".format(setting["name"])
    known: Any = told.json() or {}
    if known.get("can_update_at_runtime", True) or setting["identity"].startswith("client"):
        return ""
    return NO_RUNTIME.format(setting["name"])


def meaning(text: str) -> Any:
    """A value as Ceph reads it: a number, with a unit of 1024, or true and false."""
    words: Dict[str, Any] = {"true": 1.0, "false": 0.0}
    match = NUMBER.match(text)
    if not match:
        return words.get(text.lower(), text)
    try:
        return float(match.group(1)) * 1024 ** " KMGTPE".index(match.group(2) or " ")
    except ValueError:
        return text

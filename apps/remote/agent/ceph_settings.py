"""Options of Ceph that can be lent, in the cluster's own configuration database (`ceph config`,
https://docs.ceph.com/en/latest/rados/configuration/ceph-conf/). They outlive a restart of the host.

The database keeps a value as Ceph writes it: 4G becomes 4294967296, 0.5 becomes 0.500000.
"""

import errno
import re
from typing import Any, Dict, List, Optional, Tuple

from .ceph import Ceph, CephError
from .errors import RefusalError
from .files import JSON
from .host import command_environment
from .setting import Entry, Kind, line

CEPH = "ceph"
UNSET = "(not set)"  # the database says nothing: the option has its default
SECTION = re.compile(r"^(?:global|(?:mon|mgr|osd|mds|client)(?:\.[A-Za-z0-9_-]{1,60})?)$")
OPTION = re.compile(r"^[a-z][a-z0-9_]{1,79}$")
VALUE = re.compile(r"^(?!-[^0-9.])[\x21-\x7e](?:[\x20-\x7e]{0,198}[\x21-\x7e])?$")
SECRETS = re.compile(r"auth|cephx|keyring|keyfile|key$|secret|passw")
NUMBER = re.compile(r"^([+-]?[0-9.]+)([KMGTPE]?)i?B?$")
NO_RUNTIME = (
    "Tuning: Ceph's {} takes effect only when daemons are restarted, and benchlab restarts none; "
    "leave it out."
)


class CephKind(Kind):
    """`identity` is the section: global, osd, osd.3, client; `name` is the option's."""

    lasting = True

    def __init__(self) -> None:
        self.known: Optional[List[JSON]] = None
        self.failure: Optional[OSError] = None

    def forget(self) -> None:
        self.known, self.failure = None, None

    def objection(self, item: JSON) -> str:
        if not SECTION.match(item["identity"]):
            return "{!r} is no section of Ceph's configuration.".format(item["identity"])
        if not OPTION.match(item["name"]) or SECRETS.search(item["name"]):
            return "{!r} is not an option of Ceph that can be lent.".format(item["name"])
        if not VALUE.match(str(item["value"])) or str(item["value"]) == UNSET:
            return "{!r} is no value for {}.".format(str(item["value"]), item["name"])
        return ""

    def snapshot(self, wanted: List[JSON]) -> List[Entry]:
        reasons = [self.unfit(item) for item in wanted]
        if any(reasons):
            raise RefusalError([reason for reason in reasons if reason])
        entries = []
        for item in wanted:
            entry = line(CEPH, item["identity"], item["name"], None)
            original = self.read(entry)
            value = str(item["value"])
            entries.append(dict(entry, original=original, seen=original, value=value))
        return entries

    def unfit(self, item: JSON) -> str:
        """Why the cluster would not take an option while it runs, as a sentence. What a client is
        told it knows when it begins, so for clients no restart is needed.
        """
        try:
            told = ask("config", "help", item["name"]) or {}
        except OSError as error:
            if "ENOENT" in str(error.strerror):
                return "Tuning: this cluster's Ceph has no option {}.".format(item["name"])
            raise
        if told.get("can_update_at_runtime", True) or item["identity"].startswith("client"):
            return ""
        return NO_RUNTIME.format(item["name"])

    def is_there(self, entry: Entry) -> bool:
        return True

    def read(self, entry: Entry) -> Optional[str]:
        for row in self.dump():
            mine = (row["section"], row["name"]) == (entry["identity"], entry["name"])
            if mine and not row.get("mask"):
                return str(row["value"])
        return UNSET

    def dump(self) -> List[JSON]:
        """Everything in the database. A cluster that does not answer is not asked for every setting
        again: each would take as long.
        """
        if self.failure:
            raise self.failure
        try:
            self.known = list(ask("config", "dump") or []) if self.known is None else self.known
        except OSError as error:
            self.failure = error
            raise
        return self.known

    def write(self, entry: Entry, value: str) -> None:
        self.known = None
        where = [entry["identity"], entry["name"]]
        if value == UNSET:
            cluster("rm", *where)
        else:
            cluster("set", *(where + [value]))

    def same(self, asked: str, found: Optional[str]) -> bool:
        return asked == found or (found is not None and meaning(asked) == meaning(found))

    def doubt(self, entry: Entry) -> str:
        """A value for some hosts or disks of a section goes before one for all of it."""
        if entry["identity"] == "global":
            return ""  # nobody is called global, so there is nobody to ask for
        found = cluster("get", entry["identity"], entry["name"]).strip()
        if self.same(entry["value"], found):
            return ""
        return "ceph config get says {}, something narrower is set".format(found)

    def whose(self, entry: Entry) -> str:
        return "Ceph's section {}".format(entry["identity"])

    def lent(self, entry: Entry) -> Tuple[str, ...]:
        return CEPH, entry["identity"], entry["name"]


def asking() -> Ceph:
    """The cluster that this host is a client of."""
    return Ceph(command_environment("/"))


def cluster(verb: str, *words: str) -> str:
    """What `ceph config` printed. Raises OSError with what it complained about."""
    try:
        return asking().run(["config", verb] + list(words))
    except CephError as error:
        raise OSError(errno.EIO, str(error)) from None


def ask(*words: str) -> Any:
    """The JSON answer of a command. Raises OSError with what it complained about."""
    try:
        return asking().ask(*words)
    except CephError as error:
        raise OSError(errno.EIO, str(error)) from None


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

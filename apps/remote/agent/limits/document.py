"""The owner's file of limits, `/etc/benchlab/limits.json`, and the stop file beside it.

The file belongs to root and nobody else may write to it. If anything is wrong with it, nothing is
started: the owner meant to limit something.
"""

import errno
import json
import os
import re
import stat
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple

from ..errors import RefusalError

FOLDER = "/etc/benchlab"
# Another folder, for tests.
FOLDER_VARIABLE = "BENCHLAB_LIMITS_DIR"
MAX_BYTES = 64 << 10
MAX_ENTRIES = 500
ZONES = "/usr/share/zoneinfo"
ZONE = re.compile(r"^[A-Za-z0-9_+-]{1,40}(/[A-Za-z0-9_+-]{1,40}){0,2}$")
CLOCK = re.compile(r"^([01][0-9]|2[0-3]):([0-5][0-9])$")
OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH

Hours = NamedTuple("Hours", [("begin", int), ("end", int), ("zone", str)])
"""Minutes after midnight; `end` is not part of it and may be before `begin`."""


class Limits:
    """The limits of a host; None: the owner does not limit it."""

    def __init__(self) -> None:
        self.disks: Optional[List[str]] = None
        self.tools: Optional[List[str]] = None
        self.settings: Optional[List[str]] = None
        self.hours: Optional[Hours] = None
        self.seconds: Optional[float] = None
        self.bytes_a_day: Optional[int] = None
        self.note = ""


class LimitsError(ValueError):
    """A file that cannot be obeyed; the message is a sentence."""


def limits_folder() -> str:
    """Return the folder of the owner's files."""
    return os.environ.get(FOLDER_VARIABLE) or FOLDER


def limits_path() -> str:
    return os.path.join(limits_folder(), "limits.json")


def stop_path() -> str:
    return os.path.join(limits_folder(), "stop")


def is_stopped() -> bool:
    """Return True if the stop file exists, or if that cannot be determined."""
    try:
        os.lstat(stop_path())
    except OSError as error:
        return error.errno not in (errno.ENOENT, errno.ENOTDIR)
    return True


def read_limits() -> Optional[Limits]:
    """Return the owner's limits; None without a file. Raises: LimitsError."""
    document = read_document()
    return None if document is None else parse_limits(document)


def limits_or_refusal() -> Limits:
    """Return the owner's limits; none at all without a file. Raises: RefusalError."""
    try:
        return read_limits() or Limits()
    except LimitsError as error:
        raise RefusalError(["Owner: {}".format(error)]) from None


def read_document() -> Optional[Any]:
    """Return the document of the file; None if there is none. Raises: LimitsError."""
    path = limits_path()
    require_owned_folder(os.path.dirname(path))
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        if error.errno == errno.ENOENT:
            return None
        sentence = "{} cannot be read ({}), so nothing is started here."
        raise LimitsError(sentence.format(path, error.strerror)) from None
    try:
        require_owned(os.fstat(fd), path, is_folder=False)
        data = os.read(fd, MAX_BYTES + 1)
    except OSError as error:
        sentence = "{} cannot be read ({}), so nothing is started here."
        raise LimitsError(sentence.format(path, error.strerror)) from None
    finally:
        os.close(fd)
    if len(data) > MAX_BYTES:
        raise LimitsError("{} is larger than {} bytes.".format(path, MAX_BYTES))
    try:
        return json.loads(data.decode("utf-8"), object_pairs_hook=unique_keys)
    except (ValueError, RecursionError) as error:
        sentence = "{} is no JSON ({}), so nothing is started here."
        raise LimitsError(sentence.format(path, error)) from None


def require_owned_folder(folder: str) -> None:
    """Raise LimitsError unless root alone may change the folder, or there is none.

    Without this check, whoever may write to the folder could remove the file. A link to nowhere is
    no absent folder: what it leads to may be a file system that is not mounted.
    """
    try:
        os.lstat(folder)
    except OSError as error:
        if error.errno == errno.ENOENT:
            return
    try:
        state = os.stat(folder)
    except OSError as error:
        sentence = "{} cannot be read ({}), so nothing is started here."
        raise LimitsError(sentence.format(folder, error.strerror)) from None
    require_owned(state, folder, is_folder=True)


def require_owned(state: os.stat_result, path: str, is_folder: bool) -> None:
    """Raise LimitsError unless root alone may change the file or folder."""
    kind = stat.S_ISDIR(state.st_mode) if is_folder else stat.S_ISREG(state.st_mode)
    if not kind or state.st_uid != 0 or state.st_mode & OTHERS_WRITE:
        sentence = "{} must be root's and writable by root only, so nothing is started here."
        raise LimitsError(sentence.format(path))


def unique_keys(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
    """Return an object. Raises: ValueError for a key that is there twice."""
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ValueError("a key is there twice")
    return result


def parse_limits(document: Any) -> Limits:
    """Return the limits of a document. Raises: LimitsError for anything unknown."""
    limits = Limits()
    parsers: Dict[str, Callable[[str, Any], Any]] = {
        "disks": patterns,
        "tools": patterns,
        "settings": patterns,
        "hours": hours,
        "seconds": positive,
        "bytes_a_day": whole,
        "note": text,
    }
    if not isinstance(document, dict):
        raise LimitsError("{} is not an object.".format(limits_path()))
    for name, value in document.items():
        if name not in parsers:
            sentence = "{} has the unknown limit {!r}, so nothing is started here."
            raise LimitsError(sentence.format(limits_path(), name[:40]))
        setattr(limits, name, parsers[name](name, value))
    return limits


def wrong(name: str, expected: str) -> LimitsError:
    sentence = "{} in {} is not {}, so nothing is started here."
    return LimitsError(sentence.format(name, limits_path(), expected))


def patterns(name: str, value: Any) -> List[str]:
    """Return a list of names with * and ?."""
    good = isinstance(value, list) and len(value) <= MAX_ENTRIES
    if not good or not all(isinstance(one, str) and 0 < len(one) <= 300 for one in value):
        raise wrong(name, "a list of names")
    return list(value)


def positive(name: str, value: Any) -> float:
    good = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not good or not 0 < value <= 1 << 60:
        raise wrong(name, "a number above 0")
    return float(value)


def whole(name: str, value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 1 << 60:
        raise wrong(name, "a whole number from 0")
    return value


def text(name: str, value: Any) -> str:
    if not isinstance(value, str) or len(value) > 500:
        raise wrong(name, "a text of at most 500 characters")
    return " ".join(value.split())


def hours(name: str, value: Any) -> Hours:
    """Return the hours of `{"from": "22:00", "to": "06:00", "zone": "Asia/Shanghai"}`."""
    if not isinstance(value, dict) or set(value) != {"from", "to", "zone"}:
        raise wrong(name, "an object with from, to and zone")
    begin, end = minutes(name, value["from"]), minutes(name, value["to"])
    if begin == end:
        raise wrong(name, "two different times")
    zone = value["zone"]
    is_known = isinstance(zone, str) and bool(ZONE.match(zone))
    if not is_known or not (zone == "UTC" or os.path.isfile(os.path.join(ZONES, zone))):
        raise wrong(name, "in a time zone that this host has in " + ZONES)
    return Hours(begin, end, zone)


def minutes(name: str, value: Any) -> int:
    match = CLOCK.match(value) if isinstance(value, str) else None
    if match is None:
        raise wrong(name, "given as times such as 22:00")
    return int(match.group(1)) * 60 + int(match.group(2))

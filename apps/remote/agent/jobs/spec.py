"""The specification of a launch: checked before anything exists."""

import re
from typing import Any, Dict, List, Optional

from ..ceph import watch as ceph_watch
from ..demands import checked_fingerprint, flag, number, optional_number, require, strings
from ..own_commands.table import OWN_COMMANDS
from ..shapes import Command, DirectoryTarget, DiskTarget, Hold, Pin, Setting, Spec, Target
from ..tuning.filesystem_settings import FILESYSTEM
from . import host_counters
from .job import OWN, Job
from .listening import is_port
from .words import beyond

FILE = re.compile(r"^[A-Za-z0-9_][A-Za-z0-9_.+-]{0,127}$")
LOGS = ("device.log", host_counters.LOG, ceph_watch.LOG)  # the agent's own, among the tool's files
SECONDS = (0.1, 86400.0)  # what a command that is always run may take, or a hold
TARGETS = 256
THREADS = 1 << 16


def checked(spec: Any) -> Spec:
    """The spec with defaults filled in. Raises RequestError with a sentence."""
    require(isinstance(spec, dict), "The spec is not an object.")
    Job("", spec.get("attempt"))
    commands = spec.get("commands")
    require(isinstance(commands, list) and bool(commands), "The spec has no commands.")
    found = targets(spec)
    result: Spec = {
        "attempt": spec["attempt"],
        "commands": [command(item) for item in commands],
        "tuning": [setting(item) for item in spec.get("tuning") or []],
        "watch": strings(spec.get("watch") or [], "watch"),
        "deadline": optional_number(spec, "deadline"),
        "limit": optional_number(spec, "limit"),
        "hold": hold(spec.get("hold")),
        "pin": pin(spec.get("pin")),
        "ceph": flag(spec, "ceph"),
        "targets": found,
        "several": bool(spec.get("targets")),
        "settle": number(spec.get("settle", 0.0), "settle", 0.0, 3600.0),
        "lease": number(spec.get("lease", 60.0), "lease", 1.0, 86400.0),
        "as_found": flag(spec, "as_found"),
    }
    require(not result["pin"] or bool(found), "There is no target to pin for.")
    require_writable(result)
    strange = beyond(result["commands"], len(result["targets"]))
    require(not strange, "There is no target for {}.".format(", ".join(strange)))
    return result


def require_writable(spec: Spec) -> None:
    """A file system is made only on a disk that this job claims for writing, and a command that
    works in its files works nowhere else. Raises RequestError.
    """
    made = {one["identity"] for one in spec["tuning"] if one["kind"] == FILESYSTEM}
    written = {t["identity"] for t in spec["targets"] if t["kind"] == "disk" and t["write"]}
    require(made <= written, "A file system is made only on a disk that the job may write to.")
    require(not (made and spec["as_found"]), "A file system cannot be left out.")


def command(item: Any) -> Command:
    """One command: role, argv, the plain names of its output files, and when it is run."""
    require(isinstance(item, dict), "A command is not an object.")
    argv = strings(item.get("argv"), "argv")
    require(bool(argv) and bool(argv[0]), "A command has no program.")
    own = not argv[0].startswith("@") or argv[0] in OWN_COMMANDS
    require(own, "The agent has no command {}.".format(argv[0]))
    files = strings(item.get("files") or [], "files")
    for name in files:
        plain = bool(FILE.match(name)) and name not in OWN and name not in LOGS
        require(plain, "{!r} cannot be a tool's file name.".format(name))
    listens = item.get("listens") or ""
    good = isinstance(listens, str) and (not listens or is_port(listens))
    require(good, "{!r} is no port such as tcp:5201.".format(listens))
    fills = item.get("fills") or ""
    require(isinstance(fills, str), "The pool that a command fills has no name.")
    return {
        "role": str(item.get("role", "main")),
        "fills": fills,
        "argv": argv,
        "files": files,
        "listens": listens,
        "always": flag(item, "always"),
        "may_fail": flag(item, "may_fail"),
        "seconds": number(item.get("seconds", 60.0), "seconds", *SECONDS),
    }


def hold(item: Any) -> Optional[Hold]:
    """The seconds the job waits for its release when it is ready; None: it does not wait."""
    if item is None:
        return None
    require(isinstance(item, dict), "hold is not an object.")
    return {"seconds": number(item.get("seconds"), "seconds", *SECONDS)}


def pin(item: Any) -> Optional[Pin]:
    """The number of threads that are placed on CPUs for each target; None: the words for CPUs
    stay.
    """
    if item is None:
        return None
    require(isinstance(item, dict), "pin is not an object.")
    threads = item.get("threads")
    good = isinstance(threads, int) and not isinstance(threads, bool) and 0 < threads <= THREADS
    require(good, "threads is not a whole number from 1 to {}.".format(THREADS))
    return {"threads": threads}


def targets(spec: Dict[str, Any]) -> List[Target]:
    """The targets as a list, whether one (`target`), several (`targets`) or none were asked for."""
    asked = spec.get("targets") or []
    require(isinstance(asked, list) and len(asked) <= TARGETS, "targets is not a list of targets.")
    single = spec.get("target")
    require(single is None or not asked, "The spec has both target and targets.")
    found = [target(item) for item in asked or ([single] if single is not None else [])]
    names = [item["identity"] if item["kind"] == "disk" else item["path"] for item in found]
    for name in names:
        require(names.count(name) == 1, "The target {} is named twice.".format(name))
    return found


def target(item: Any) -> Target:
    """A disk by identity, or a directory by path."""
    require(isinstance(item, dict), "The target is not an object.")
    require(item.get("kind") in ("disk", "directory"), "The target is neither disk nor directory.")
    require(
        isinstance(item.get("write"), bool), "The target does not say whether it is written to."
    )
    return directory(item) if item["kind"] == "directory" else disk(item)


def directory(item: Dict[str, Any]) -> DirectoryTarget:
    """A directory by path, with the bytes it needs."""
    require(isinstance(item.get("path"), str), "The directory has no path.")
    needs = number(item.get("needs") or 0, "needs", 0, float(1 << 60))
    return {"kind": "directory", "path": item["path"], "needs": int(needs), "write": item["write"]}


def disk(item: Dict[str, Any]) -> DiskTarget:
    """A disk by identity, with the size in bytes it must have."""
    require(isinstance(item.get("identity"), str), "The disk has no identity.")
    size = item.get("size")
    require(
        size is None or isinstance(size, int), "The disk's size is not a whole number of bytes."
    )
    return {
        "kind": "disk",
        "identity": item["identity"],
        "size": size,
        "write": item["write"],
        "allow_signatures": flag(item, "allow_signatures"),
        "fingerprint": checked_fingerprint(item.get("fingerprint")),
        "needs": int(number(item.get("needs") or 0, "needs", 0, float(1 << 60))),
    }


def setting(item: Any) -> Setting:
    """One setting on loan; its name and value are judged by the module that knows the kind."""
    require(isinstance(item, dict), "A setting is not an object.")
    for name in ("kind", "identity", "name"):
        require(isinstance(item.get(name), str), "A setting has no {}.".format(name))
    require(isinstance(item.get("value"), (str, int)), "A setting has no value.")
    kind, identity, name, value = (item[key] for key in ("kind", "identity", "name", "value"))
    found: Setting = {"kind": kind, "identity": identity, "name": name, "value": value}
    if "restart" in item:
        found["restart"] = strings(item["restart"], "restart")
    return found

"""Validate the specification of a launch."""

import re
from typing import Any, Dict, List, Optional

from ..builtin_commands.table import BUILTIN_COMMANDS
from ..ceph import health_monitor
from ..disturbance import process as disturbance_process
from ..disturbance.request import validate_disturbance
from ..processes.job_folder import AGENT_FILES, Job
from ..schema import (
    Command,
    DirectoryTarget,
    DiskTarget,
    Hold,
    Pin,
    Power,
    SettingSpec,
    Spec,
    Target,
)
from ..targets.placeholders import named_generic_devices, passes_through, unknown_placeholders
from ..tuning.ceph_conf_settings import CEPH_CONF
from ..tuning.filesystem_settings import FILESYSTEM
from ..validators import (
    boolean,
    number,
    optional_number,
    require,
    string,
    string_list,
    validate_fingerprint,
)
from . import host_counters, power_monitor
from .ports import is_port

FILE = re.compile(r"^[A-Za-z0-9_][A-Za-z0-9_.+-]{0,127}$")
# Logs of the agent among the files of the tool.
LOGS = (
    "device.log",
    host_counters.LOG,
    health_monitor.LOG,
    power_monitor.LOG,
    disturbance_process.LOG,
)
SECONDS_RANGE = (0.1, 86400.0)  # of an `always` command, or a hold
MAX_TARGETS = 256
MAX_THREADS = 1 << 16


def validate_spec(spec: Any) -> Spec:
    """Return the spec with defaults. Raises: RequestError."""
    require(isinstance(spec, dict), "The spec is not an object.")
    Job("", spec.get("attempt"))
    commands = spec.get("commands")
    require(isinstance(commands, list) and bool(commands), "The spec has no commands.")
    matches = targets(spec)
    result: Spec = {
        "attempt": spec["attempt"],
        "commands": [command(item) for item in commands],
        "tuning": [setting(item) for item in spec.get("tuning") or []],
        "watch": string_list(spec.get("watch") or [], "watch"),
        "deadline": optional_number(spec, "deadline"),
        "limit": optional_number(spec, "limit"),
        "hold": hold(spec.get("hold")),
        "pin": pin(spec.get("pin")),
        "power": power(spec.get("power")),
        "ceph": boolean(spec, "ceph"),
        "targets": matches,
        "has_target_list": bool(spec.get("targets")),
        "settle": number(spec.get("settle", 0.0), "settle", 0.0, 3600.0),
        "lease": number(spec.get("lease", 60.0), "lease", 1.0, 86400.0),
        "allow_untuned": boolean(spec, "allow_untuned"),
        "carry": carry(spec),
        "disturbance": validate_disturbance(spec.get("disturbance"), len(commands)),
    }
    require(
        not (result["carry"] and result["disturbance"]),
        "Settings of a disturbed test are not carried over.",
    )
    require(not result["pin"] or bool(matches), "There is no target to pin for.")
    require_writable(result)
    strange = unknown_placeholders(result["commands"], len(result["targets"]))
    require(not strange, "There is no target for {}.".format(", ".join(strange)))
    require_claimed_generic(result)
    return result


def carry(spec: Dict[str, Any]) -> str:
    """Return the key under which the settings may pass to the next job; "" if they do not."""
    key = string(spec.get("carry", ""), "carry")
    kinds = {one.get("kind") for one in spec.get("tuning") or [] if isinstance(one, dict)}
    require(not key or kinds == {CEPH_CONF}, "Only settings that restart daemons are carried over.")
    return key


def require_writable(spec: Spec) -> None:
    """Raise RequestError unless file systems are created only on disks claimed for writing."""
    made = {one["identity"] for one in spec["tuning"] if one["kind"] == FILESYSTEM}
    written = {t["identity"] for t in spec["targets"] if t["kind"] == "disk" and t["write"]}
    require(made <= written, "A file system is made only on a disk that the job may write to.")
    require(not (made and spec["allow_untuned"]), "A file system cannot be skipped.")


def require_claimed_generic(spec: Spec) -> None:
    """Raise RequestError unless generic devices are used only beside the claims of their disks."""
    named = named_generic_devices(spec["commands"])
    require(not named, "{} is no placeholder of a target.".format(", ".join(named)))
    if not passes_through(spec["commands"]):
        return
    kinds = {one["kind"] for one in spec["targets"]}
    require(kinds == {"disk"}, "Only disks have an NVMe generic device.")
    is_formatted = any(one["kind"] == FILESYSTEM for one in spec["tuning"])
    require(not is_formatted, "NVMe commands would destroy the file system made on the disk.")


def command(item: Any) -> Command:
    """Validate one command: role, argv, output file names and when it runs."""
    require(isinstance(item, dict), "A command is not an object.")
    argv = string_list(item.get("argv"), "argv")
    require(bool(argv) and bool(argv[0]), "A command has no program.")
    is_known = not argv[0].startswith("@") or argv[0] in BUILTIN_COMMANDS
    require(is_known, "The agent has no command {}.".format(argv[0]))
    files = string_list(item.get("files") or [], "files")
    for name in files:
        plain = bool(FILE.match(name)) and name not in AGENT_FILES and name not in LOGS
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
        "always": boolean(item, "always"),
        "may_fail": boolean(item, "may_fail"),
        "repeat": boolean(item, "repeat"),
        "seconds": number(item.get("seconds", 60.0), "seconds", *SECONDS_RANGE),
    }


def hold(item: Any) -> Optional[Hold]:
    """Return the seconds the job waits for its start when ready; None: it does not wait."""
    if item is None:
        return None
    require(isinstance(item, dict), "hold is not an object.")
    return {"seconds": number(item.get("seconds"), "seconds", *SECONDS_RANGE)}


def pin(item: Any) -> Optional[Pin]:
    """Return the number of threads pinned per target; None: placeholders for CPUs stay."""
    if item is None:
        return None
    require(isinstance(item, dict), "pin is not an object.")
    threads = item.get("threads")
    good = isinstance(threads, int) and not isinstance(threads, bool) and 0 < threads <= MAX_THREADS
    require(good, "threads is not a whole number from 1 to {}.".format(MAX_THREADS))
    return {"threads": threads}


def power(item: Any) -> Optional[Power]:
    """Return the seconds without load for the idle power; None: power is not logged."""
    if item is None:
        return None
    require(isinstance(item, dict), "power is not an object.")
    return {"idle_seconds": number(item.get("idle_seconds"), "idle_seconds", 0.0, 600.0)}


def targets(spec: Dict[str, Any]) -> List[Target]:
    """Return the targets as a list, from `target` or `targets`."""
    items = spec.get("targets") or []
    require(
        isinstance(items, list) and len(items) <= MAX_TARGETS, "targets is not a list of targets."
    )
    single = spec.get("target")
    require(single is None or not items, "The spec has both target and targets.")
    result = [target(item) for item in items or ([single] if single is not None else [])]
    names = [item["identity"] if item["kind"] == "disk" else item["path"] for item in result]
    for name in names:
        require(names.count(name) == 1, "The target {} is named twice.".format(name))
    return result


def target(item: Any) -> Target:
    """Validate a disk by identity, or a directory by path."""
    require(isinstance(item, dict), "The target is not an object.")
    require(item.get("kind") in ("disk", "directory"), "The target is neither disk nor directory.")
    require(
        isinstance(item.get("write"), bool), "The target does not say whether it is written to."
    )
    return directory(item) if item["kind"] == "directory" else disk(item)


def directory(item: Dict[str, Any]) -> DirectoryTarget:
    """Validate a directory, with the bytes it needs."""
    require(isinstance(item.get("path"), str), "The directory has no path.")
    needs = number(item.get("needs") or 0, "needs", 0, float(1 << 60))
    return {"kind": "directory", "path": item["path"], "needs": int(needs), "write": item["write"]}


def disk(item: Dict[str, Any]) -> DiskTarget:
    """Validate a disk, with its expected size in bytes."""
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
        "allow_signatures": boolean(item, "allow_signatures"),
        "fingerprint": validate_fingerprint(item.get("fingerprint")),
        "needs": int(number(item.get("needs") or 0, "needs", 0, float(1 << 60))),
    }


def setting(item: Any) -> SettingSpec:
    """Validate the types of one setting; its kind validates name and value."""
    require(isinstance(item, dict), "A setting is not an object.")
    for name in ("kind", "identity", "name"):
        require(isinstance(item.get(name), str), "A setting has no {}.".format(name))
    require(isinstance(item.get("value"), (str, int)), "A setting has no value.")
    kind, identity, name, value = (item[key] for key in ("kind", "identity", "name", "value"))
    result: SettingSpec = {"kind": kind, "identity": identity, "name": name, "value": value}
    if "restart" in item:
        result["restart"] = string_list(item["restart"], "restart")
    return result

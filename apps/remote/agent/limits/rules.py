"""Check a job against the limits of the host's owner."""

import fnmatch
import os
import time
from typing import List

from ..disks.backing_disks import backing_disks_or_none
from ..disks.blocks import Block, resolve
from ..files import list_folder
from ..schema import Command, Spec, Target
from ..targets.placeholders import passes_through
from .document import Hours, Limits, limits_path, stop_path

BY_ID = "/dev/disk/by-id"
# Built-in commands that change nothing but caches: part of every measurement.
HARMLESS = ("@ceph-query", "@drop-caches")


def stop_reason(limits: Limits) -> str:
    """Return the sentence about the stop file."""
    return with_note("Owner: {} stops all tests on this host.".format(stop_path()), limits)


def with_note(sentence: str, limits: Limits) -> str:
    """Return the sentence, followed by the owner's note."""
    return "{} {}".format(sentence, limits.note) if limits.note else sentence


def spec_reasons(spec: Spec, limits: Limits) -> List[str]:
    """Return why the owner does not allow a job; empty if it is allowed now."""
    reasons = tool_reasons(spec["commands"], limits)
    reasons += [reason for one in spec["targets"] for reason in disk_reasons(one, limits)]
    reasons += setting_reasons(spec, limits)
    member = spec["disturbance"]["member"] if spec["disturbance"] else ""
    if member:
        one: Target = {"kind": "disk", "identity": member, "size": None, "write": True}
        reasons += disk_reasons(one, limits)
    reasons += counting_reasons(spec, limits)
    if limits.hours and not is_open(limits.hours, time.time()):
        reasons.append(hours_reason(limits.hours))
    return [with_note(reason, limits) for reason in reasons]


def tool_reasons(commands: List[Command], limits: Limits) -> List[str]:
    if limits.tools is None:
        return []
    programs = [one["argv"][0] for one in commands if one["argv"][0] not in HARMLESS]
    names = {os.path.basename(program).lstrip("@") for program in programs}
    refused = sorted(name for name in names if not matches(name, limits.tools))
    sentence = "Owner: the tools in {} do not include {}."
    return [sentence.format(limits_path(), ", ".join(refused))] if refused else []


def disk_reasons(target: Target, limits: Limits) -> List[str]:
    """Compare the disks of a target; a directory lies on disks too."""
    if limits.disks is None:
        return []
    blocks = target_disks(target)
    name = target["identity"] if target["kind"] == "disk" else target["path"]
    if not blocks and target["kind"] == "directory":
        sentence = "Owner: {} lies on no disk, and {} limits the disks."
        return [sentence.format(name, limits_path())]
    refused = [block for block in blocks if not is_listed(block, limits.disks)]
    sentence = "Owner: {} ({}) is none of the disks in {}."
    return [sentence.format(name, block.node, limits_path()) for block in refused]


def target_disks(target: Target) -> List[Block]:
    """Return the disks of a target; an absent disk is refused by its claim."""
    if target["kind"] == "disk":
        return resolve(target["identity"])
    return backing_disks_or_none(target["path"])


def is_listed(block: Block, wanted: List[str]) -> bool:
    """Return True if the identity, or a name in /dev/disk/by-id, matches a pattern."""
    links = [os.path.join(BY_ID, name) for name in list_folder(BY_ID)]
    mine = [path for path in links if os.path.realpath(path) == block.node]
    names = [block.identity, *mine, *map(os.path.basename, mine)]
    return any(matches(name, wanted) for name in names)


def setting_reasons(spec: Spec, limits: Limits) -> List[str]:
    if limits.settings is None:
        return []
    names = {"{}/{}".format(one["kind"], one["name"]) for one in spec["tuning"]}
    if spec["disturbance"]:
        names.add("disturbance/" + spec["disturbance"]["kind"])
    refused = [name for name in sorted(names) if not matches(name, limits.settings)]
    sentence = "Owner: the settings in {} do not include {}."
    return [sentence.format(limits_path(), ", ".join(refused))] if refused else []


def counting_reasons(spec: Spec, limits: Limits) -> List[str]:
    """Refuse writes that this host cannot count."""
    if limits.bytes_a_day is None:
        return []
    sentence = "Owner: {} limits the bytes a day, and writes to {} cannot be counted here."
    names = [one["fills"] for one in spec["commands"] if one["fills"]]
    if passes_through(spec["commands"]):
        names += [
            one["identity"] for one in spec["targets"] if one["kind"] == "disk" and one["write"]
        ]
    for target in spec["targets"]:
        if target["kind"] == "directory" and target["write"] and not target_disks(target):
            names.append(target["path"])
    return [sentence.format(limits_path(), name) for name in dict.fromkeys(names)]


def matches(name: str, wanted: List[str]) -> bool:
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in wanted)


def is_open(hours: Hours, realtime: float) -> bool:
    """Return True if a time lies within the hours, which may pass midnight."""
    local = local_time(hours.zone, realtime)
    minute = local.tm_hour * 60 + local.tm_min
    if hours.begin < hours.end:
        return hours.begin <= minute < hours.end
    return minute >= hours.begin or minute < hours.end


def local_time(zone: str, realtime: float) -> time.struct_time:
    """Return the local time of a zone; Python 3.6 has no zoneinfo."""
    before = os.environ.get("TZ")
    try:
        os.environ["TZ"] = zone
        time.tzset()
        return time.localtime(realtime)
    finally:
        if before is None:
            del os.environ["TZ"]
        else:
            os.environ["TZ"] = before
        time.tzset()


def hours_reason(hours: Hours) -> str:
    sentence = "Owner: tests run from {} to {} ({}) only."
    return sentence.format(clock(hours.begin), clock(hours.end), hours.zone)


def clock(minute: int) -> str:
    return "{:02d}:{:02d}".format(minute // 60, minute % 60)

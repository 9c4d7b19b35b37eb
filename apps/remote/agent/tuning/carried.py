"""Carry settings over to the next job, so that daemons restart once for several attempts.

A job whose spec has `carry` may end with an open journal that has this key. The next job with the
same key takes its lines over, with the originals. Any other job, session or request restores them
first, and the job's own keeper does after the lease.
"""

import time
from typing import Dict, List, Optional, Tuple

from ..errors import RefusalError
from ..host.identity import boot_id, now
from ..host.locks import TUNING, file_lock
from ..processes.job_folder import Job, all_jobs
from ..schema import JournalRecord, JournalSetting, SettingSpec, Spec
from .journal import TuningJournal, is_open, read_value_or_none
from .kinds import clear_caches, kind_name
from .restore import restore_settings
from .target_disks import expand_settings

NOT_RESTORED = (
    "Tuning: settings of attempt {} could not be restored yet, so nothing was run; see the "
    "host's page."
)
END_SECONDS = 60.0  # for the last files of a job, after its settings were checked
POLL_SECONDS = 0.2
Identified = Dict[Tuple[str, str, str], str]


def is_carried(record: Optional[JournalRecord]) -> bool:
    """Return True for the open journal of an ended job that the next one may take over."""
    return record is not None and is_open(record) and bool(record.get("carry"))


def is_carry_requested(job: Job, spec: Spec) -> bool:
    """Return True if the cancel request leaves the settings for the next job."""
    document = job.json("cancel")
    return bool(spec["carry"]) and isinstance(document, dict) and document.get("carry") is True


def carry_over(journal: TuningJournal, key: str) -> None:
    """Leave the journal open for the next job with this key; it is on disk then.

    Raises: FolderError.
    """
    with file_lock(journal.job.base, TUNING):
        journal.record["carry"] = key
        journal.save()


def settle_carried(job: Job, spec: Spec) -> Optional[Job]:
    """Return the ended job whose settings this one takes over; restore those of all others.

    Raises: RefusalError if one could not be restored: no test may run under foreign settings.
    """
    source = None
    for other in all_jobs(job.base):
        if other.attempt == job.attempt or not is_carried(other.json("tuning-journal.json")):
            continue
        free = wait_free(other)
        if free and source is None and can_take_over(other, spec):
            source = other
            continue
        if free:
            restore_settings(other)
        if is_open(other.json("tuning-journal.json")):
            raise RefusalError([NOT_RESTORED.format(other.attempt)])
    return source


def wait_free(job: Job) -> bool:
    """Wait until a job that has left its settings writes its last file; return False if not."""
    deadline = time.monotonic() + END_SECONDS
    while not job.is_free():
        if time.monotonic() > deadline:
            return False
        time.sleep(POLL_SECONDS)
    return True


def can_take_over(other: Job, spec: Spec) -> bool:
    """Return True if a carried journal has exactly the settings of the spec, still in force.

    After a reboot, or if another program changed a value, the settings are restored instead.
    """
    record = other.json("tuning-journal.json")
    if not spec["carry"] or record is None or record.get("carry") != spec["carry"]:
        return False
    if record["boot_id"] != boot_id() or identified(record["settings"]) != requested(spec):
        return False
    clear_caches()
    return all(read_value_or_none(one) == one["last_value"] for one in record["settings"])


def identified(settings: List[JournalSetting]) -> Identified:
    """Return the requested values by kind, identity and name."""
    return {
        (kind_name(one), one["identity"], one["name"]): str(one["value"])
        for one in settings
        if one["step"] == "applied"
    }


def requested(spec: Spec) -> Identified:
    """Return the values that a spec requests, by kind, identity and name."""
    rows: List[SettingSpec] = expand_settings(spec["tuning"])
    return {(one["kind"], one["identity"], one["name"]): str(one["value"]) for one in rows}


def hand_over(source: Job) -> None:
    """Close the journal whose lines another one has on disk. Raises: FolderError."""
    with file_lock(source.base, TUNING):
        record = source.json("tuning-journal.json")
        if record is not None and is_open(record):
            record["state"], record["closed"] = "closed", now()
            record["closed_because"] = "handed over"
            TuningJournal(source, record).save()

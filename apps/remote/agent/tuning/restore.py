"""Restore settings: values first, then the journal."""

import contextlib
from typing import List, Optional

from ..errors import AgentError, FolderError
from ..host.identity import now
from ..host.locks import TUNING, file_lock
from ..processes.job_folder import Job
from ..schema import JournalRecord, JournalSetting, RestoreResult
from .journal import TuningJournal, is_open, live_settings, read_value_or_none
from .kinds import KINDS, clear_caches, kind_of, report_setting


def empty_result() -> RestoreResult:
    """Return a result without settings."""
    return {"restored": [], "conflicts": [], "failed": [], "unwritten": []}


def restore_settings(job: Job, record: Optional[JournalRecord] = None) -> RestoreResult:
    """Restore every setting that still has its applied value; close the journal if all succeeded.

    `record`: the journal from memory, used instead of the file.

    Idempotent, and safe to kill: settings with their original value are not written. A value that
    another process set is reported as a conflict and kept. Restoring never waits for a write to the
    journal: if it cannot be closed, `unwritten` has the reason and it stays open.
    """
    with file_lock(job.base, TUNING):
        record = job.json("tuning-journal.json") if record is None else record
        outcome = empty_result()
        if record is None or not is_open(record):
            return outcome
        settings = live_settings(record)
        clear_caches()
        foreign = [setting for setting in settings if is_foreign(setting)]
        restore_batches([setting for setting in settings if setting not in foreign])
        for setting in restore_order(settings):
            restore_setting(setting, setting in foreign, outcome)
        if not outcome["failed"]:
            over: JournalRecord = record.copy()
            over["state"], over["closed"] = "closed", now()
            over["closed_because"] = "restored" if settings else "reset by reboot"
            close_journal(TuningJournal(job, over), outcome)
        return outcome


def close_journal(journal: TuningJournal, outcome: RestoreResult) -> None:
    """Write the closed journal; store the error in the result."""
    journal.job.free_reserve()
    try:
        journal.save()
    except FolderError as error:
        outcome["unwritten"].append({"reason": str(error)})


def restore_order(settings: List[JournalSetting]) -> List[JournalSetting]:
    """Return the settings in reverse; those that change others come first."""
    reverse = list(reversed(settings))
    return sorted(reverse, key=lambda setting: kind_of(setting).rank(setting))


def is_foreign(setting: JournalSetting) -> bool:
    """Return True if another process changed the setting: it is neither applied nor original.

    A setting in step `pending` may have any value, written by this job. An unreadable setting is
    not foreign: restoring it fails and is retried.
    """
    if setting["step"] == "pending" or not kind_of(setting).is_there(setting):
        return False
    if setting["step"] == "planned" and setting["value"] is None:
        return False  # another setting may have changed it before that was journaled
    try:
        return kind_of(setting).read(setting) not in (setting["last_value"], setting["original"])
    except OSError:
        return False


def restore_batches(settings: List[JournalSetting]) -> None:
    """Write the originals of kinds that write several settings at once.

    Failed writes are retried and reported for each setting later.
    """
    for kind in KINDS.values():
        if not kind.is_batched:
            continue
        mine = [setting for setting in settings if kind_of(setting) is kind]
        changed = [one for one in mine if read_value_or_none(one) not in (None, one["original"])]
        if len(changed) > 1:
            kind.write_all([(setting, setting["original"]) for setting in changed])


def restore_setting(setting: JournalSetting, foreign: bool, outcome: RestoreResult) -> None:
    """Restore one setting, or report why not."""
    if not kind_of(setting).is_there(setting):
        # The setting is gone with its device.
        setting["outcome"] = "gone"
        outcome["restored"].append(report_setting(setting, value=None))
    elif foreign:
        setting["outcome"] = "conflict"
        report = report_setting(
            setting, expected=setting["last_value"], original=setting["original"]
        )
        report["actual"] = read_value_or_none(setting)
        outcome["conflicts"].append(report)
        with contextlib.suppress(OSError):
            kind_of(setting).discard_own(setting)
    else:
        write_original(setting, outcome)


def write_original(setting: JournalSetting, outcome: RestoreResult) -> None:
    """Write the original if the value differs, and read it back."""
    kind, original = kind_of(setting), setting["original"]
    touched = setting["step"] != "planned" and setting["value"] is not None
    reason: Optional[str] = None
    try:
        if kind.read(setting) != original:
            touched = True
            kind.write(setting, original)
    except OSError as error:
        reason = error.strerror
    except AgentError as error:
        reason = str(error)
    value = read_value_or_none(setting)
    setting["outcome"] = "restored" if value == original else "failed"
    if value != original:
        outcome["failed"].append(
            report_setting(setting, actual=value, original=original, reason=reason)
        )
    elif touched:
        outcome["restored"].append(report_setting(setting, value=value))

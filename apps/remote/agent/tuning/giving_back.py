"""Giving settings back: values first, then what has to be written down about it."""

import contextlib
from typing import List, Optional

from ..errors import AgentError, FolderError
from ..host.identity import now
from ..host.locks import TUNING, locked
from ..jobs.job import Job
from ..shapes import JournalSetting, LoanRecord, Outcome
from .kinds import KINDS, forget_all, kind_of, told
from .loan import Loan, alive, is_open, value_now


def nothing() -> Outcome:
    """An outcome without settings."""
    return {"restored": [], "conflicts": [], "failed": [], "unwritten": []}


def give_back(job: Job, known: Optional[LoanRecord] = None) -> Outcome:
    """Restore everything that is still as the loan left it; read back; close the loan if all is
    settled. `known`: the journal as the caller remembers it, which counts where it is given.

    Safe to repeat and to be killed in: what is already original stays. What somebody else set
    meanwhile is reported as a conflict and kept. No value waits for something to be written: where
    only the journal cannot be closed, `unwritten` says why, and the loan stays open until it can.
    """
    with locked(job.base, TUNING):
        record = job.json("loan.json") if known is None else known
        outcome = nothing()
        if record is None or not is_open(record):
            return outcome
        settings = alive(record)
        forget_all()
        foreign = [setting for setting in settings if is_foreign(setting)]
        put_back_together([setting for setting in settings if setting not in foreign])
        for setting in restoring_order(settings):
            settle_setting(setting, setting in foreign, outcome)
        if not outcome["failed"]:
            over: LoanRecord = record.copy()
            over["state"], over["closed"] = "closed", now()
            over["why"] = "given back" if settings else "reset by reboot"
            close(Loan(job, over), outcome)
        return outcome


def close(loan: Loan, outcome: Outcome) -> None:
    """The loan is over, as soon as that stands on the disk."""
    loan.job.free_reserve()
    try:
        loan.save()
    except FolderError as error:
        outcome["unwritten"].append({"why": str(error)})


def restoring_order(settings: List[JournalSetting]) -> List[JournalSetting]:
    """In reverse, but what changes others along before them."""
    reverse = list(reversed(settings))
    return sorted(reverse, key=lambda setting: kind_of(setting).rank(setting))


def is_foreign(setting: JournalSetting) -> bool:
    """Whether somebody else changed the setting: it is neither what the loan left nor the original.

    A setting in the middle of being changed can be anything, and is the loan's own doing. One that
    cannot be read now is nobody's either: giving it back will fail, and be tried again.
    """
    if setting["step"] == "pending" or not kind_of(setting).is_there(setting):
        return False
    if setting["step"] == "planned" and setting["value"] is None:
        return False  # it may have changed along with another before that could be written down
    try:
        return kind_of(setting).read(setting) not in (setting["seen"], setting["original"])
    except OSError:
        return False


def put_back_together(settings: List[JournalSetting]) -> None:
    """Write the originals of the kinds that are written in one go. Whatever could not be written is
    tried again, and said, when each is settled.
    """
    for kind in KINDS.values():
        if not kind.together:
            continue
        mine = [setting for setting in settings if kind_of(setting) is kind]
        changed = [one for one in mine if value_now(one) not in (None, one["original"])]
        if len(changed) > 1:
            kind.write_all([(setting, setting["original"]) for setting in changed])


def settle_setting(setting: JournalSetting, foreign: bool, outcome: Outcome) -> None:
    """Restore one setting, or say why not."""
    if not kind_of(setting).is_there(setting):
        # It lives and dies with its device: there is nothing left to restore.
        setting["outcome"] = "gone"
        outcome["restored"].append(told(setting, value=None))
    elif foreign:
        setting["outcome"] = "conflict"
        said = told(setting, expected=setting["seen"], original=setting["original"])
        said["found"] = value_now(setting)
        outcome["conflicts"].append(said)
        with contextlib.suppress(OSError):
            kind_of(setting).let_go(setting)
    else:
        put_back(setting, outcome)


def put_back(setting: JournalSetting, outcome: Outcome) -> None:
    """Write the original where it is not there, and read it back."""
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
    value = value_now(setting)
    setting["outcome"] = "restored" if value == original else "failed"
    if value != original:
        outcome["failed"].append(told(setting, found=value, original=original, why=reason))
    elif touched:
        outcome["restored"].append(told(setting, value=value))

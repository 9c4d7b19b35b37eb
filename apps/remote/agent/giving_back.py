"""Giving settings back: values first, then what has to be written down about it."""

from typing import Dict, List, Optional

from .errors import AgentError, FolderError
from .files import JSON
from .host import now
from .host_locks import TUNING, locked
from .job import Job
from .kinds import KINDS, forget_all, kind_of, short
from .loan import Loan, alive, is_open, value_now
from .setting import Entry

Outcome = Dict[str, List[JSON]]


def nothing() -> Outcome:
    """An outcome without entries."""
    return {"restored": [], "conflicts": [], "failed": [], "unwritten": []}


def give_back(job: Job, known: Optional[JSON] = None) -> Outcome:
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
        entries = alive(record)
        forget_all()
        foreign = [entry for entry in entries if is_foreign(entry)]
        put_back_together([entry for entry in entries if entry not in foreign])
        for entry in restoring_order(entries):
            settle_entry(entry, entry in foreign, outcome)
        if not outcome["failed"]:
            why = "given back" if entries else "reset by reboot"
            close(Loan(job, dict(record, state="closed", why=why, closed=now())), outcome)
        return outcome


def close(loan: Loan, outcome: Outcome) -> None:
    """The loan is over, as soon as that stands on the disk."""
    loan.job.free_reserve()
    try:
        loan.save()
    except FolderError as error:
        outcome["unwritten"].append({"why": str(error)})


def restoring_order(entries: List[Entry]) -> List[Entry]:
    """In reverse, but what changes others along before them."""
    reverse = list(reversed(entries))
    return sorted(reverse, key=lambda entry: kind_of(entry).rank(entry))


def is_foreign(entry: Entry) -> bool:
    """Whether somebody else changed the setting: it is neither what the loan left nor the original.

    A setting in the middle of being changed can be anything, and is the loan's own doing. One that
    cannot be read now is nobody's either: giving it back will fail, and be tried again.
    """
    if entry["step"] == "pending" or not kind_of(entry).is_there(entry):
        return False
    if entry["step"] == "planned" and entry["value"] is None:
        return False  # it may have changed along with another before that could be written down
    try:
        return kind_of(entry).read(entry) not in (entry["seen"], entry["original"])
    except OSError:
        return False


def put_back_together(entries: List[Entry]) -> None:
    """Write the originals of the kinds that are written in one go. Whatever could not be written is
    tried again, and said, when each is settled.
    """
    for kind in KINDS.values():
        if not kind.together:
            continue
        mine = [entry for entry in entries if kind_of(entry) is kind]
        changed = [one for one in mine if value_now(one) not in (None, one["original"])]
        if len(changed) > 1:
            kind.write_all([(entry, entry["original"]) for entry in changed])


def settle_entry(entry: Entry, foreign: bool, outcome: Outcome) -> None:
    """Restore one setting, or say why not."""
    if not kind_of(entry).is_there(entry):
        # It lives and dies with its device: there is nothing left to restore.
        entry["outcome"] = "gone"
        outcome["restored"].append(dict(short(entry), value=None))
    elif foreign:
        entry["outcome"] = "conflict"
        said = dict(short(entry), expected=entry["seen"], original=entry["original"])
        outcome["conflicts"].append(dict(said, found=value_now(entry)))
    else:
        put_back(entry, outcome)


def put_back(entry: Entry, outcome: Outcome) -> None:
    """Write the original where it is not there, and read it back."""
    kind, original = kind_of(entry), entry["original"]
    touched = entry["step"] != "planned" and entry["value"] is not None
    reason: Optional[str] = None
    try:
        if kind.read(entry) != original:
            touched = True
            kind.write(entry, original)
    except OSError as error:
        reason = error.strerror
    except AgentError as error:
        reason = str(error)
    value = value_now(entry)
    entry["outcome"] = "restored" if value == original else "failed"
    if value != original:
        said = dict(short(entry), found=value, original=original, why=reason)
        outcome["failed"].append(said)
    elif touched:
        outcome["restored"].append(dict(short(entry), value=value))

"""Giving settings back: by the supervisor after the run, by `recover`, or by the keeper when
contact stopped.
"""

import time
from typing import Dict, List, Optional

from .files import JSON
from .host import now
from .job import Job, all_jobs
from .kinds import forget_all, kind_of, short
from .loan import Loan, alive, is_open, one_at_a_time, value_now
from .processes import detach
from .setting import Entry

TICK = 1.0
TRIES = 5
Outcome = Dict[str, List[JSON]]


def nothing() -> Outcome:
    """An outcome without entries."""
    return {"restored": [], "conflicts": [], "failed": []}


def give_back(job: Job) -> Outcome:
    """Restore everything that is still as the loan left it; read back; close the loan if all is
    settled.

    Safe to repeat and to be killed in: what is already original stays. What somebody else set
    meanwhile is reported as a conflict and kept.
    """
    with one_at_a_time(job.base):
        record = job.json("loan.json")
        outcome = nothing()
        if record is None or not is_open(record):
            return outcome
        loan = Loan(job, record)
        entries = alive(record)
        if not entries:
            close(loan, "reset by reboot")
            return outcome
        forget_all()
        foreign = [entry for entry in entries if is_foreign(entry)]
        for entry in restoring_order(entries):
            settle_entry(entry, entry in foreign, outcome)
        if not outcome["failed"]:
            close(loan, "given back")
        return outcome


def close(loan: Loan, why: str) -> None:
    """The loan is over."""
    loan.record.update(state="closed", why=why, closed=now())
    loan.save()


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
    value = value_now(entry)
    entry["outcome"] = "restored" if value == original else "failed"
    if value != original:
        said = dict(short(entry), found=value, original=original, why=reason)
        outcome["failed"].append(said)
    elif touched:
        outcome["restored"].append(dict(short(entry), value=value))


def recover(base: str, request: JSON) -> JSON:
    """The verb: restore the open loans of these attempts (none named: of all) whose lock is
    free.
    """
    wanted = request.get("attempts") or []
    jobs = [Job(base, attempt) for attempt in wanted] or all_jobs(base)
    total: JSON = dict(nothing(), busy=[])
    for job in jobs:
        if not is_open(job.json("loan.json")):
            continue
        if not job.is_free():
            total["busy"].append(job.attempt)
            continue
        for key, entries in give_back(job).items():
            total[key].extend(dict(entry, attempt=job.attempt) for entry in entries)
    return total


def renew(base: str, request: JSON) -> JSON:
    """The verb: somebody still looks after these attempts."""
    jobs = [Job(base, attempt) for attempt in request["attempts"]]
    present = [job for job in jobs if job.exists()]
    for job in present:
        job.touch_contact()
    return {"renewed": [job.attempt for job in present]}


def start_keeper(job: Job) -> None:
    """A process that outlives supervisor and session, does not hold the lock, and sleeps until it
    is free.
    """
    detach(lambda: keep(job), [], job.path("agent.log"))


def keep(job: Job) -> None:
    """Restore when nobody of the job is left, the loan is open and contact is older than the
    lease.
    """
    job.wait_free()
    tries = 0
    while tries < TRIES and is_open(job.json("loan.json")):
        lease = float((job.json("loan.json") or {}).get("lease", 0))
        rest = lease - job.contact_age()
        if rest > 0:
            time.sleep(min(TICK, rest))
            continue
        give_back(job)
        tries += 1
        time.sleep(TICK if is_open(job.json("loan.json")) else 0)

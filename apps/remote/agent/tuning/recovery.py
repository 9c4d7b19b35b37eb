"""Loans that outlived their jobs: given back by `recover`, at the beginning of every session,
before anything new is lent, and by a keeper that goes on trying.
"""

import contextlib
import time
from typing import List, Optional

from ..demands import strings
from ..errors import AgentError
from ..jobs.job import Job, all_jobs
from ..jobs.processes import detach
from ..shapes import JournalSetting, LoanRecord, Outcome, Reply, Request, ToldSetting
from .giving_back import give_back, nothing
from .kinds import told
from .loan import alive, is_open, value_now

TICK = 1.0
LONGEST = 300.0  # seconds between the tries of a keeper, which begin a second apart and double


def recover(base: str, request: Request) -> Reply:
    """The verb: restore the open loans of these attempts (none named: of all) whose lock is free.
    `open`: those that are open all the same, and why.
    """
    wanted = strings(request.get("attempts") or [], "attempts")
    jobs = [Job(base, attempt) for attempt in wanted] or all_jobs(base)
    total = nothing()
    busy: List[str] = []
    loans: List[Reply] = []
    for job in jobs:
        if not is_open(job.json("loan.json")):
            continue
        if not job.is_free():
            busy.append(job.attempt)
            continue
        outcome = give_back(job)
        add(outcome, job.attempt, total)
        loans += still_open(job, outcome)
    return dict(total, busy=busy, open=loans)


def add(outcome: Outcome, attempt: str, total: Outcome) -> None:
    """Add the outcome of one attempt's loan, with its id."""
    for part, settings in outcome.items():
        for setting in settings:
            setting["attempt"] = attempt
        total[part] += settings


def recover_all(base: str) -> None:
    """Every loan of a job that has ended, as far as that is possible now."""
    for job in all_jobs(base):
        with contextlib.suppress(OSError, AgentError):
            if is_open(job.json("loan.json")) and job.is_free():
                give_back(job)


def still_open(job: Job, outcome: Outcome) -> List[Reply]:
    """The loan, if something of it could not be settled: since when it is open (seconds since
    1970), why, and the settings that are not as they were.
    """
    record = job.json("loan.json")
    reasons = [why(setting) for setting in outcome["failed"] + outcome["unwritten"]]
    if record is None or not is_open(record) or not reasons:
        return []
    since = (record.get("opened") or {}).get("realtime")
    changed = [described(setting) for setting in alive(record)]
    left = [setting for setting in changed if setting["found"] != setting["original"]]
    words = " ".join(dict.fromkeys(reasons))
    return [{"attempt": job.attempt, "since": since, "why": words, "settings": left}]


def why(setting: ToldSetting) -> str:
    """Why one thing could not be settled, as a sentence."""
    if "name" not in setting:
        return str(setting["why"])
    words = setting["name"], setting["original"], setting["why"] or "it did not stay"
    return "{} cannot be set to {} ({}).".format(*words)


def described(setting: JournalSetting) -> ToldSetting:
    """A setting on loan: what it was, what was asked for, what it is."""
    said = told(setting, original=setting["original"], value=setting["value"])
    said["found"] = value_now(setting)
    return said


def start_keeper(job: Job, record: LoanRecord) -> None:
    """A process that outlives supervisor and session, does not hold the lock, and sleeps until it
    is free.
    """
    detach(lambda: keep(job, record), [], job.path("agent.log"))


def keep(job: Job, known: LoanRecord) -> None:
    """Restore when nobody of the job is left, the loan is open and contact is older than the lease,
    and go on until it is closed, whatever stands in the way. `known`: the journal as it began.
    """
    pause = TICK
    while True:
        with contextlib.suppress(OSError):
            job.wait_free()
        record = job.json("loan.json")
        lost = record is None and job.exists()  # it is there, but cannot be read
        if not lost and not is_open(record):
            return
        rest = float(known["lease"]) - job.contact_age()
        if rest > 0:
            time.sleep(min(TICK, rest))
            continue
        outcome = tried(job, unsure(known) if lost else None)
        if lost and outcome and not outcome["failed"]:
            return
        if is_open(job.json("loan.json")) or lost:
            time.sleep(pause)
            pause = min(2 * pause, LONGEST)


def tried(job: Job, known: Optional[LoanRecord]) -> Optional[Outcome]:
    """The outcome of giving back; None where even that could not be tried."""
    with contextlib.suppress(OSError, AgentError):
        return give_back(job, known)
    return None


def unsure(record: LoanRecord) -> LoanRecord:
    """A journal from the beginning of a job, of which nobody knows how far it came since."""
    found = record.copy()
    found["settings"] = [setting.copy() for setting in record["settings"]]
    for setting in found["settings"]:
        setting["step"] = "pending"
    return found

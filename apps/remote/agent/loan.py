"""Tuning as a loan: every setting is written down, and on the disk, before it is changed.

loan.json: `state` open | closed, `why` it was closed, `boot_id`, `lease` in seconds, and
`settings`, each with `identity`, `name`, `original`, `value` (null for one that only could change
along), `step`: planned (untouched) | pending (about to be written) | applied (`seen` is what it was
afterwards), and after giving back `outcome`: restored | conflict | failed | gone.
"""

import fcntl
import os
from contextlib import contextmanager
from typing import Any, Dict, Iterator, List, Optional

from .blocks import Block, resolve
from .errors import RefusalError
from .files import JSON
from .host import boot_id
from .job import Job, all_jobs
from .queue_settings import NAMES, choices, current, objection, store

Entry = Dict[str, Any]


@contextmanager
def one_at_a_time(base: str) -> Iterator[None]:
    """Host-wide: no two processes take or give back settings at once."""
    fd = os.open(os.path.join(base, "tuning.lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        yield
    finally:
        os.close(fd)


def is_open(loan: Optional[JSON]) -> bool:
    """Whether settings may still be other than they were."""
    return bool(loan) and loan is not None and loan["state"] == "open"


class Loan:
    """One job's settings on loan; the journal is the truth, this object only edits it."""

    def __init__(self, job: Job, record: JSON) -> None:
        self.job = job
        self.record = record

    @property
    def settings(self) -> List[Entry]:
        """The journal's entries, in the order in which they are applied."""
        entries: List[Entry] = self.record["settings"]
        return entries

    def save(self) -> None:
        """The journal, on the disk before this returns."""
        self.job.write("loan.json", self.record)

    def asked(self) -> List[Entry]:
        """The entries the plan wanted, without those that only could change along."""
        return [entry for entry in self.settings if entry["value"] is not None]

    def apply(self, entry: Entry) -> None:
        """Journal, change, read back. Raises RefusalError when the kernel did not take the value as
        it is.
        """
        block = only(entry["identity"])
        entry["step"] = "pending"
        self.save()
        reason = ""
        try:
            store(block, entry["name"], entry["value"])
        except OSError as error:
            reason = " ({})".format(error.strerror)
        entry["seen"] = current(block, entry["name"])
        entry["step"] = "applied"
        self.save()
        if reason or entry["seen"] != entry["value"]:
            raise RefusalError([misfit(block, entry, reason)])

    def settle(self) -> None:
        """Journal what the other settings of the same disks are now: a scheduler resets
        nr_requests.
        """
        for entry in self.settings:
            block = only(entry["identity"])
            if entry["value"] is None:
                entry.update(step="applied", seen=current(block, entry["name"]))
        self.save()
        for entry in self.asked():
            found = current(only(entry["identity"]), entry["name"])
            if found != entry["value"]:
                raise RefusalError([misfit(only(entry["identity"]), dict(entry, seen=found), "")])

    def changed(self) -> List[JSON]:
        """Settings that did not keep their value: what was measured is then not what was asked."""
        found = [(entry, value_now(entry)) for entry in self.settings]
        return [
            dict(short(entry), expected=entry["seen"], found=value)
            for entry, value in found
            if value != entry["seen"]
        ]


def misfit(block: Block, entry: Entry, reason: str) -> str:
    """The sentence for a value that did not become what was asked."""
    sentence = (
        "Tuning: {} of {} should be {} and is {}{}; everything was put back, nothing was run."
    )
    if entry["name"] == "scheduler":
        sentence += " It offers: {}.".format(", ".join(choices(block)))
    return sentence.format(entry["name"], block.name, entry["value"], entry["seen"], reason)


def only(identity: str) -> Block:
    """The one disk with an identity. Raises RefusalError."""
    found = resolve(identity)
    if len(found) != 1:
        sentence = "Tuning: {} disks of this host are {}; there must be exactly one."
        raise RefusalError([sentence.format(len(found), identity)])
    return found[0]


def value_now(entry: Entry) -> Optional[str]:
    """The setting's present value, None when its disk is gone."""
    found = resolve(entry["identity"])
    return current(found[0], entry["name"]) if found else None


def short(entry: Entry) -> JSON:
    """An entry as exit.json names it."""
    return {"kind": "queue", "identity": entry["identity"], "name": entry["name"]}


def borrow(job: Job, spec: JSON) -> Loan:
    """Snapshot and journal; nothing is changed yet. Raises RefusalError with every reason."""
    reasons = [wrong(item) for item in spec["tuning"] if wrong(item)]
    if reasons:
        raise RefusalError(reasons)
    record = {"state": "open", "boot_id": boot_id(), "lease": spec["lease"]}
    loan = Loan(job, dict(record, settings=snapshot(spec["tuning"])))
    with one_at_a_time(job.base):
        refuse_overlap(job, loan)
        loan.save()
    return loan


def wrong(item: JSON) -> str:
    """Why a wanted setting is not acceptable, as a sentence."""
    if item["kind"] != "queue":
        return "Tuning: the agent knows no settings of kind {!r}.".format(item["kind"])
    reason = objection(item["name"], str(item["value"]))
    return "Tuning: " + reason if reason else ""


def snapshot(wanted: List[JSON]) -> List[Entry]:
    """All five settings of every disk concerned: changing one may change another along."""
    values = {(item["identity"], item["name"]): str(item["value"]) for item in wanted}
    entries = []
    for identity in sorted({item["identity"] for item in wanted}):
        block = only(identity)
        for name in NAMES:
            value, original = values.get((identity, name)), current(block, name)
            if original is None and value is not None:
                raise RefusalError(["Tuning: {} has no setting {}.".format(block.name, name)])
            if original is not None:
                entry = {"identity": identity, "name": name, "original": original}
                entries.append(dict(entry, value=value, step="planned", seen=original))
    return entries


def refuse_overlap(job: Job, loan: Loan) -> None:
    """Two loans on one disk would each take the other's values for the original. Raises
    RefusalError.
    """
    mine = {entry["identity"] for entry in loan.settings}
    for other in all_jobs(job.base):
        record = None if other.attempt == job.attempt else other.json("loan.json")
        if record is None or not is_open(record) or record["boot_id"] != boot_id():
            continue
        both = mine & {entry["identity"] for entry in record["settings"]}
        if both:
            sentence = "Tuning: {} is on loan to attempt {}; wait for it or recover it first."
            raise RefusalError([sentence.format(sorted(both)[0], other.attempt)])

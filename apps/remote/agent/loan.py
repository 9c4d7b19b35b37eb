"""Tuning as a loan: every setting is written down, and on the disk, before it is changed.

loan.json: `state` open | closed, `opened` and `closed` when (both clocks), `why` it was closed,
`boot_id`, `lease` in seconds, and
`settings`, each with `kind`, `identity`, `name`, `original`, `value` (null for one that only could
change along), `step`: planned (untouched) | pending (about to be written) | applied (`seen` is what
it was afterwards), and after giving back `outcome`: restored | conflict | failed | gone.
"""

from typing import List, Optional, Set, Tuple

from .errors import RefusalError
from .files import JSON
from .host import boot_id, now
from .host_locks import TUNING, locked
from .job import Job, all_jobs
from .kinds import KINDS, forget_all, kind_of, short
from .setting import Entry

UNREADABLE = "Tuning: {} of {} cannot be read ({}); nothing was run."
MISFIT = "Tuning: {} of {} should be {} and is {}{}; everything was put back, nothing was run. {}"
RUNNING = "Tuning: {} is on loan to attempt {}; wait for it."
ENDED = (
    "Tuning: {} is still on loan to attempt {}, which has ended but could not give it back; the "
    "host's page says why."
)


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

    def groups(self) -> List[List[Entry]]:
        """What was asked for, in order: each alone, or with its neighbours of a kind whose settings
        are written together.
        """
        found: List[List[Entry]] = []
        for entry in self.asked():
            kind = kind_of(entry)
            if found and kind.together and kind_of(found[-1][0]) is kind:
                found[-1].append(entry)
            else:
                found.append([entry])
        return found

    def apply(self, entries: List[Entry]) -> None:
        """Journal, change, read back: settings of one kind. Raises RefusalError when a value was
        not taken as it is.
        """
        kind = kind_of(entries[0])
        for entry in entries:
            entry["step"] = "pending"
        self.save()
        reasons = kind.write_all([(entry, entry["value"]) for entry in entries])
        for entry in entries:
            entry.update(seen=value_of(entry), step="applied")
        self.save()
        wrong = [
            misfit(entry, reasons[number])
            for number, entry in enumerate(entries)
            if reasons[number] or not kind.same(entry["value"], entry["seen"])
        ]
        if wrong:
            raise RefusalError(wrong)

    def settle(self) -> None:
        """Journal what the other settings are now: a scheduler resets nr_requests. Raises
        RefusalError when one that was asked for did not stay.
        """
        forget_all()
        for entry in self.settings:
            if entry["value"] is None:
                entry.update(step="applied", seen=value_of(entry))
        self.save()
        for entries in self.groups():
            kind = kind_of(entries[0])
            for entry in entries:
                found = value_of(entry)
                if not kind.same(entry["value"], found):
                    raise RefusalError([misfit(dict(entry, seen=found), "it did not stay")])
            doubts = kind.doubts(entries)
            wrong = [misfit(entries[n], reason) for n, reason in enumerate(doubts) if reason]
            if wrong:
                raise RefusalError(wrong)

    def changed(self) -> List[JSON]:
        """Settings that did not keep their value: what was measured is then not what was asked."""
        forget_all()
        found = [(entry, value_now(entry)) for entry in self.settings]
        return [
            dict(short(entry), expected=entry["seen"], found=value)
            for entry, value in found
            if value != entry["seen"]
        ]


def misfit(entry: Entry, reason: str) -> str:
    """The sentence for a value that did not become what was asked."""
    kind = kind_of(entry)
    why = " ({})".format(reason) if reason else ""
    words = entry["name"], kind.whose(entry), entry["value"], entry["seen"], why, kind.hint(entry)
    return MISFIT.format(*words).strip()


def value_of(entry: Entry) -> Optional[str]:
    """The setting's present value. Raises RefusalError where it cannot be asked for."""
    try:
        return kind_of(entry).read(entry)
    except OSError as error:
        words = entry["name"], kind_of(entry).whose(entry), error.strerror
        raise RefusalError([UNREADABLE.format(*words)]) from None


def value_now(entry: Entry) -> Optional[str]:
    """The setting's present value, None when it is gone or cannot be asked for."""
    try:
        return kind_of(entry).read(entry)
    except OSError:
        return None


def borrow(job: Job, spec: JSON) -> Loan:
    """Snapshot and journal; nothing is changed yet. Raises RefusalError with every reason."""
    reasons = [wrong(item) for item in spec["tuning"] if wrong(item)]
    if reasons:
        raise RefusalError(reasons)
    record = {"state": "open", "opened": now(), "boot_id": boot_id(), "lease": spec["lease"]}
    loan = Loan(job, dict(record, settings=snapshot(spec["tuning"])))
    with locked(job.base, TUNING):
        refuse_overlap(job, loan)
        loan.save()
    return loan


def wrong(item: JSON) -> str:
    """Why a wanted setting is not acceptable, as a sentence."""
    kind = KINDS.get(item["kind"])
    if kind is None:
        return "Tuning: the agent knows no settings of kind {!r}.".format(item["kind"])
    reason = kind.objection(item)
    return "Tuning: " + reason if reason else ""


def snapshot(wanted: List[JSON]) -> List[Entry]:
    """The journal's lines for everything concerned. Raises RefusalError."""
    entries: List[Entry] = []
    forget_all()
    for name, kind in KINDS.items():
        mine = [item for item in wanted if item["kind"] == name]
        try:
            entries += kind.snapshot(mine)
        except OSError as error:
            raise RefusalError(["Tuning: {}".format(error.strerror)]) from None
    return entries


def refuse_overlap(job: Job, loan: Loan) -> None:
    """Two loans of one thing would each take the other's values for the original. Raises
    RefusalError.
    """
    mine = things(loan.settings)
    for other in all_jobs(job.base):
        record = None if other.attempt == job.attempt else other.json("loan.json")
        if record is None or not is_open(record):
            continue
        both = mine & things(alive(record))
        if both:
            sentence = ENDED if other.is_free() else RUNNING
            raise RefusalError([sentence.format(sorted(both)[0][-1], other.attempt)])


def things(entries: List[Entry]) -> Set[Tuple[str, ...]]:
    """What only one job at a time may have on loan."""
    return {kind_of(entry).lent(entry) for entry in entries}


def alive(record: JSON) -> List[Entry]:
    """The lines of a journal that still mean something: a restart of the host resets all but what
    lives elsewhere.
    """
    same = record["boot_id"] == boot_id()
    return [entry for entry in record["settings"] if same or kind_of(entry).lasting]

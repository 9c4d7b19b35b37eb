"""Tuning as a loan: every setting is written down, and on the disk, before it is changed.

loan.json: `state` open | closed, `opened` and `closed` when (both clocks), `why` it was closed,
`boot_id`, `lease` in seconds, and
`settings`, each with `kind`, `identity`, `name`, `original`, `value` (null for one that only could
change along), `step`: planned (untouched) | pending (about to be written) | applied (`seen` is what
it was afterwards), and after giving back `outcome`: restored | conflict | failed | gone.
"""

from typing import List, Optional, Set, Tuple

from ..errors import RefusalError
from ..host.identity import boot_id, now
from ..host.locks import TUNING, locked
from ..jobs.job import Job, all_jobs
from ..shapes import JournalSetting, LoanRecord, Setting, Spec, ToldSetting
from .kinds import KINDS, forget_all, kind_of, told
from .places import spread
from .setting import asked_value

UNREADABLE = "Tuning: {} of {} cannot be read ({}); nothing was run."
MISFIT = "Tuning: {} of {} should be {} and is {}{}; everything was put back, nothing was run. {}"
RUNNING = "Tuning: {} is on loan to attempt {}; wait for it."
ENDED = (
    "Tuning: {} is still on loan to attempt {}, which has ended but could not give it back; the "
    "host's page says why."
)


def is_open(loan: Optional[LoanRecord]) -> bool:
    """Whether settings may still be other than they were."""
    return bool(loan) and loan is not None and loan["state"] == "open"


class Loan:
    """One job's settings on loan; the journal is the truth, this object only edits it."""

    def __init__(self, job: Job, record: LoanRecord) -> None:
        self.job = job
        self.record = record

    @property
    def settings(self) -> List[JournalSetting]:
        """The journal's settings, in the order in which they are applied."""
        return self.record["settings"]

    def save(self) -> None:
        """The journal, on the disk before this returns."""
        self.job.write("loan.json", self.record)

    def asked(self) -> List[JournalSetting]:
        """The settings the plan wanted, without those that only could change along."""
        return [setting for setting in self.settings if setting["value"] is not None]

    def groups(self) -> List[List[JournalSetting]]:
        """Settings that were asked for, in order: each alone, or with its neighbours of a kind
        whose settings are written together.
        """
        found: List[List[JournalSetting]] = []
        for setting in self.asked():
            kind = kind_of(setting)
            if found and kind.together and kind_of(found[-1][0]) is kind:
                found[-1].append(setting)
            else:
                found.append([setting])
        return found

    def apply(self, settings: List[JournalSetting]) -> None:
        """Journal, change, read back: settings of one kind. Raises RefusalError when a value was
        not taken as it is.
        """
        kind = kind_of(settings[0])
        for setting in settings:
            setting["step"] = "pending"
        self.save()
        reasons = kind.write_all([(setting, asked_value(setting)) for setting in settings])
        for setting in settings:
            setting["seen"], setting["step"] = value_of(setting), "applied"
        self.save()
        wrong = [
            misfit(setting, reasons[number])
            for number, setting in enumerate(settings)
            if reasons[number] or not kind.same(asked_value(setting), setting["seen"])
        ]
        if wrong:
            raise RefusalError(wrong)

    def settle(self) -> None:
        """Journal what the other settings are now: a scheduler resets nr_requests. Raises
        RefusalError when one that was asked for did not stay.
        """
        forget_all()
        for setting in self.settings:
            if setting["value"] is None:
                setting["seen"], setting["step"] = value_of(setting), "applied"
        self.save()
        for settings in self.groups():
            kind = kind_of(settings[0])
            for setting in settings:
                found = value_of(setting)
                if not kind.same(asked_value(setting), found):
                    now = setting.copy()
                    now["seen"] = found
                    raise RefusalError([misfit(now, "it did not stay")])
            doubts = kind.doubts(settings)
            wrong = [misfit(settings[n], reason) for n, reason in enumerate(doubts) if reason]
            if wrong:
                raise RefusalError(wrong)

    def changed(self) -> List[ToldSetting]:
        """Settings that did not keep their value: what was measured is then not what was asked."""
        forget_all()
        found = [(setting, value_now(setting)) for setting in self.settings]
        return [
            told(setting, expected=setting["seen"], found=value)
            for setting, value in found
            if value != setting["seen"]
        ]


def misfit(setting: JournalSetting, reason: str) -> str:
    """The sentence for a value that did not become what was asked."""
    kind = kind_of(setting)
    why = " ({})".format(reason) if reason else ""
    words = (
        setting["name"],
        kind.whose(setting),
        setting["value"],
        setting["seen"],
        why,
        kind.hint(setting),
    )
    return MISFIT.format(*words).strip()


def value_of(setting: JournalSetting) -> Optional[str]:
    """The setting's present value. Raises RefusalError where it cannot be asked for."""
    try:
        return kind_of(setting).read(setting)
    except OSError as error:
        words = setting["name"], kind_of(setting).whose(setting), error.strerror
        raise RefusalError([UNREADABLE.format(*words)]) from None


def value_now(setting: JournalSetting) -> Optional[str]:
    """The setting's present value, None when it is gone or cannot be asked for."""
    try:
        return kind_of(setting).read(setting)
    except OSError:
        return None


def borrow(job: Job, spec: Spec) -> Loan:
    """Snapshot and journal; nothing is changed yet. Raises RefusalError with every reason."""
    reasons = [wrong(setting) for setting in spec["tuning"] if wrong(setting)]
    if reasons:
        raise RefusalError(reasons)
    record: LoanRecord = {
        "state": "open",
        "opened": now(),
        "boot_id": boot_id(),
        "lease": spec["lease"],
        "settings": snapshot(spread(spec["tuning"])),
    }
    loan = Loan(job, record)
    with locked(job.base, TUNING):
        refuse_overlap(job, loan)
        loan.save()
    return loan


def wrong(setting: Setting) -> str:
    """Why a wanted setting is not acceptable, as a sentence."""
    kind = KINDS.get(setting["kind"])
    if kind is None:
        return "Tuning: the agent knows no settings of kind {!r}.".format(setting["kind"])
    reason = kind.objection(setting)
    return "Tuning: " + reason if reason else ""


def snapshot(wanted: List[Setting]) -> List[JournalSetting]:
    """The journal's lines for everything concerned. Raises RefusalError."""
    settings: List[JournalSetting] = []
    forget_all()
    for name, kind in KINDS.items():
        mine = [setting for setting in wanted if setting["kind"] == name]
        try:
            settings += kind.snapshot(mine)
        except OSError as error:
            raise RefusalError(["Tuning: {}".format(error.strerror)]) from None
    return settings


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


def things(settings: List[JournalSetting]) -> Set[Tuple[str, ...]]:
    """Names of what only one job at a time may have on loan."""
    return {kind_of(setting).lent(setting) for setting in settings}


def alive(record: LoanRecord) -> List[JournalSetting]:
    """The lines of a journal that still mean something: a restart of the host resets all but what
    lives elsewhere.
    """
    same = record["boot_id"] == boot_id()
    return [setting for setting in record["settings"] if same or kind_of(setting).lasting]

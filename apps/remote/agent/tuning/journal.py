"""Write-ahead journal of applied settings (tuning-journal.json).

Entries are fsynced before each change. `state` is open or closed; `opened` and `closed` are times
on both clocks; `closed_because`, `boot_id` and `lease` in seconds follow.

Each of `settings` has `kind`, `identity`, `name`, `original`, `value` (null if only another setting
may change it) and `step`: planned (untouched), pending (about to be written) or applied
(`last_value` was read back). `outcome` is restored, conflict, failed or gone.
"""

from typing import List, Optional, Set, Tuple

from ..errors import RefusalError
from ..host.identity import boot_id, now
from ..host.locks import TUNING, file_lock
from ..processes.job_folder import Job, all_jobs
from ..schema import JournalRecord, JournalSetting, ReportedSetting, SettingSpec, Spec
from .kinds import KINDS, clear_caches, kind_of, report_setting
from .setting import requested_value
from .target_disks import expand_settings

UNREADABLE = "Tuning: {} of {} cannot be read ({}); nothing was run."
MISMATCH = "Tuning: {} of {} should be {} and is {}{}; everything was restored, nothing was run. {}"
RUNNING = "Tuning: {} is in use by attempt {}; wait for it."
ENDED = (
    "Tuning: {} is still set by attempt {}, which has ended but could not restore it; the "
    "host's page has the cause."
)


def is_open(record: Optional[JournalRecord]) -> bool:
    """Return True if settings may differ from their originals."""
    return record is not None and record["state"] == "open"


class TuningJournal:
    """The settings of one job. The file is authoritative; this object edits it."""

    def __init__(self, job: Job, record: JournalRecord) -> None:
        self.job = job
        self.record = record

    @property
    def settings(self) -> List[JournalSetting]:
        """Return the settings in the order in which they are applied."""
        return self.record["settings"]

    def save(self) -> None:
        """Write the journal; it is on disk when this returns."""
        self.job.write("tuning-journal.json", self.record)

    def requested(self) -> List[JournalSetting]:
        """Return the settings of the tuning profile, without those that only may change along."""
        return [
            setting
            for setting in self.settings
            if setting["value"] is not None and not kind_of(setting).is_deferred
        ]

    def groups(self) -> List[List[JournalSetting]]:
        """Return the requested settings in order: each alone, or a batch of one kind."""
        result: List[List[JournalSetting]] = []
        for setting in self.requested():
            kind = kind_of(setting)
            if result and kind.is_batched and kind_of(result[-1][0]) is kind:
                result[-1].append(setting)
            else:
                result.append([setting])
        return result

    def apply(self, settings: List[JournalSetting]) -> None:
        """Journal, write and read back settings of one kind.

        Raises: RefusalError if a value was not accepted.
        """
        kind = kind_of(settings[0])
        for setting in settings:
            setting["step"] = "pending"
        self.save()
        reasons = kind.write_all([(setting, requested_value(setting)) for setting in settings])
        for setting in settings:
            setting["last_value"], setting["step"] = read_value(setting), "applied"
        self.save()
        wrong = [
            mismatch_text(setting, reasons[number])
            for number, setting in enumerate(settings)
            if reasons[number] or not kind.is_equal(requested_value(setting), setting["last_value"])
        ]
        if wrong:
            raise RefusalError(wrong)

    def verify(self) -> None:
        """Journal the present values of the other settings: a scheduler resets nr_requests.

        Raises: RefusalError if a requested value did not persist.
        """
        clear_caches()
        for setting in self.settings:
            if setting["value"] is None:
                setting["last_value"], setting["step"] = read_value(setting), "applied"
        self.save()
        for settings in self.groups():
            kind = kind_of(settings[0])
            for setting in settings:
                result = read_value(setting)
                if not kind.is_equal(requested_value(setting), result):
                    now = setting.copy()
                    now["last_value"] = result
                    raise RefusalError([mismatch_text(now, "it did not stay")])
            doubts = kind.verify(settings)
            wrong = [
                mismatch_text(settings[n], reason) for n, reason in enumerate(doubts) if reason
            ]
            if wrong:
                raise RefusalError(wrong)

    def changed(self) -> List[ReportedSetting]:
        """Return the settings that lost their value; the measurement is then invalid."""
        clear_caches()
        result = [
            (setting, read_value_or_none(setting))
            for setting in self.settings
            if not kind_of(setting).is_deferred
        ]
        return [
            report_setting(setting, expected=setting["last_value"], actual=value)
            for setting, value in result
            if value != setting["last_value"]
        ]


def deferred_lines(journal: Optional[TuningJournal]) -> List[JournalSetting]:
    """Return the lines of what a disturbance changes."""
    lines = journal.settings if journal else []
    return [setting for setting in lines if kind_of(setting).is_deferred]


def mismatch_text(setting: JournalSetting, reason: str) -> str:
    """Return the message for a value that differs from the requested one."""
    kind = kind_of(setting)
    reason_text = " ({})".format(reason) if reason else ""
    words = (
        setting["name"],
        kind.owner(setting),
        setting["value"],
        setting["last_value"],
        reason_text,
        kind.hint(setting),
    )
    return MISMATCH.format(*words).strip()


def read_value(setting: JournalSetting) -> Optional[str]:
    """Return the present value. Raises: RefusalError if it cannot be read."""
    try:
        return kind_of(setting).read(setting)
    except OSError as error:
        words = setting["name"], kind_of(setting).owner(setting), error.strerror
        raise RefusalError([UNREADABLE.format(*words)]) from None


def read_value_or_none(setting: JournalSetting) -> Optional[str]:
    """Return the present value; None if it cannot be read."""
    try:
        return kind_of(setting).read(setting)
    except OSError:
        return None


def open_journal(
    job: Job, spec: Spec, deferred: List[JournalSetting], source: Optional[Job] = None
) -> TuningJournal:
    """Take a snapshot and write the journal; no setting is changed yet.

    `deferred`: lines of what a disturbance changes in the middle of the job.
    `source`: an ended job with these settings in force (carried.py). Its lines are copied, because
    a snapshot would have the applied values as originals. If it was restored meanwhile, a snapshot
    has the originals. Raises: RefusalError with every reason.
    """
    reasons = [refusal_reason(setting) for setting in spec["tuning"] if refusal_reason(setting)]
    if reasons:
        raise RefusalError(reasons)
    record: JournalRecord = {
        "state": "open",
        "opened": now(),
        "boot_id": boot_id(),
        "lease": spec["lease"],
        "settings": [] if source else snapshot(expand_settings(spec["tuning"])) + deferred,
    }
    journal = TuningJournal(job, record)
    with file_lock(job.base, TUNING):
        if source:  # nobody restores it while this has the lock
            record["settings"] = open_lines(source) or snapshot(expand_settings(spec["tuning"]))
        refuse_overlap(journal, [job.attempt] + ([source.attempt] if source else []))
        journal.save()
    return journal


def open_lines(source: Job) -> List[JournalSetting]:
    """Return copies of the lines of an open journal, with their originals; none if it is closed."""
    record: Optional[JournalRecord] = source.json("tuning-journal.json")
    return [line.copy() for line in record["settings"]] if record and is_open(record) else []


def refusal_reason(setting: SettingSpec) -> str:
    """Return why a requested setting is invalid, as a sentence; "" if it is valid."""
    kind = KINDS.get(setting["kind"])
    if kind is None:
        return "Tuning: the agent supports no settings of kind {!r}.".format(setting["kind"])
    reason = kind.validate(setting)
    return "Tuning: " + reason if reason else ""


def snapshot(wanted: List[SettingSpec]) -> List[JournalSetting]:
    """Return the journal lines of all affected settings. Raises: RefusalError."""
    settings: List[JournalSetting] = []
    clear_caches()
    for name, kind in KINDS.items():
        mine = [setting for setting in wanted if setting["kind"] == name]
        try:
            settings += kind.snapshot(mine)
        except OSError as error:
            raise RefusalError(["Tuning: {}".format(error.strerror)]) from None
    return settings


def refuse_overlap(journal: TuningJournal, except_for: List[str]) -> None:
    """Raise RefusalError if an open journal of other attempts has the same target.

    Otherwise each would store the other's values as originals.
    """
    mine = exclusive_targets(journal.settings)
    for other in all_jobs(journal.job.base):
        record = None if other.attempt in except_for else other.json("tuning-journal.json")
        if record is None or not is_open(record):
            continue
        overlap = mine & exclusive_targets(live_settings(record))
        if overlap:
            sentence = ENDED if other.is_free() else RUNNING
            raise RefusalError([sentence.format(sorted(overlap)[0][-1], other.attempt)])


def exclusive_targets(settings: List[JournalSetting]) -> Set[Tuple[str, ...]]:
    """Return the keys of what only one job at a time may tune."""
    return {kind_of(setting).targets(setting) for setting in settings}


def live_settings(record: JournalRecord) -> List[JournalSetting]:
    """Return the lines that still apply. A reboot resets all but those that survive it."""
    same = record["boot_id"] == boot_id()
    return [setting for setting in record["settings"] if same or kind_of(setting).survives_reboot]

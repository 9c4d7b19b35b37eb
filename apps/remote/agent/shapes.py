"""Types of the agent's objects. What it shares with the server is declared on the server's side
and imported for the type checker alone: on a host these are plain dictionaries. Requests are
checked where they come in (demands.py, spec.py).
"""

from typing import Callable, Dict, List, Mapping, Optional

TYPE_CHECKING = False

# A request: whatever it holds is looked at before it is used. What is answered.
Request = Dict[str, object]
Reply = Mapping[str, object]
Emit = Callable[[Reply, bytes], None]

if TYPE_CHECKING:
    from typing import Literal, TypedDict  # novm

    from apps.remote import answers, job_spec, settings

    Moment = answers.Moment
    Osd = answers.ClusterOsd
    Survivor = answers.Survivor
    Result = answers.Exit
    Released = answers.Start
    Tuned = answers.Tuned
    LoanRecord = answers.Loan
    Setting = settings.LentSetting
    JournalSetting = settings.JournalSetting
    ToldSetting = settings.ToldSetting
    SeenSetting = settings.SeenSetting
    Restart = settings.Restart
    Command = job_spec.CommandSpec
    Target = job_spec.TargetSpec
    DiskTarget = job_spec.DiskSpec
    DirectoryTarget = job_spec.DirectorySpec
    Fingerprint = job_spec.Fingerprint
    Backing = job_spec.BackingFile
    Hold = job_spec.HoldSpec
    Pin = job_spec.PinSpec

    # Why a run was ended before its time, as exit.json names it.
    Reason = Literal["timed_out", "over_limit", "pool_full", "cancelled"]

    # The outcome of giving settings back: restored, conflicts, failed; and unwritten, why the
    # journal could not be closed.
    Outcome = Dict[str, List[ToldSetting]]

    class Spec(TypedDict):
        """A job as it was checked, with defaults: times in seconds, `limit` in bytes. `several`:
        the targets were given as a list.
        """

        attempt: str
        commands: List[Command]
        tuning: List[Setting]
        watch: List[str]
        deadline: Optional[float]
        limit: Optional[float]
        hold: Optional[Hold]
        pin: Optional[Pin]
        ceph: bool
        as_found: bool
        targets: List[Target]
        several: bool
        settle: float
        lease: float

    class OutputFile(TypedDict):
        """A file of a job: bytes, and its SHA-256 when nobody can write it any more."""

        name: str
        size: int
        sha256: Optional[str]

    class Description(TypedDict, total=False):
        """A job as far as it is known: see status.py."""

        state: str
        forgotten: bool
        why: Optional[str]
        phase: Optional[str]
        exit: object
        refused: object
        loan: object
        argv: object
        boot_id: Optional[str]
        listening: bool
        files: List[OutputFile]

    class Health(TypedDict):
        """A Ceph cluster: sentences by their code, names of full pools."""

        status: Optional[str]
        checks: Dict[str, str]
        full: List[str]
        error: str

    class HardwareQueue(TypedDict):
        """The CPUs that a hardware queue of a disk serves."""

        queue: int
        cpus: List[int]

    class NumaNode(TypedDict):
        """The CPUs of a memory node."""

        node: int
        cpus: List[int]

else:
    Backing = Command = Description = DirectoryTarget = DiskTarget = Fingerprint = dict
    HardwareQueue = Health = Hold = JournalSetting = LoanRecord = Moment = NumaNode = dict
    Osd = Outcome = OutputFile = Pin = Released = Restart = Result = SeenSetting = dict
    Setting = Spec = Survivor = Target = ToldSetting = Tuned = dict
    Reason = str

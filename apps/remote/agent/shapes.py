"""Types of the agent's objects: requests and answers, a job's specification and its last
files, settings on loan, disks. Checked where they come in (demands.py, spec.py); a type checker
sees their keys, Python 3.6 plain dictionaries. The server's side is apps/remote/answers.py,
job_spec.py and settings.py.
"""

from typing import Callable, Dict, List, Mapping, Optional, Union

TYPE_CHECKING = False

# A request: whatever it holds is looked at before it is used. What is answered.
Request = Dict[str, object]
Reply = Mapping[str, object]
Emit = Callable[[Reply, bytes], None]

if TYPE_CHECKING:
    from typing import Literal, Tuple, TypedDict  # novm

    class Moment(TypedDict):
        """One moment on both clocks, in seconds: monotonic, and since 1970 UTC."""

        monotonic: float
        realtime: float

    class _Setting(TypedDict):
        kind: str
        identity: str
        name: str
        value: Union[str, int]

    class Setting(_Setting, total=False):
        """A setting that is asked for, and for what it is lent. `restart`: the command that
        restarts its daemon, empty for its systemd unit.
        """

        restart: List[str]

    class Restart(TypedDict):
        """The way an option gets to a daemon: by which file, and what restarts it then."""

        fsid: str
        file: str
        commands: List[List[str]]

    class _Journal(TypedDict):
        kind: str
        identity: str
        name: str
        original: str
        value: Optional[str]
        step: str
        seen: Optional[str]

    class JournalSetting(_Journal, total=False):
        """A setting in loan.json: see loan.py; the last two of a file system."""

        outcome: str
        how: Restart
        uuid: str
        at: str

    class ToldSetting(TypedDict, total=False):
        """A setting as exit.json, refused.json and `recover` name it. `why`: of one that failed."""

        attempt: str
        kind: str
        identity: str
        name: str
        value: Optional[str]
        found: Optional[str]
        expected: Optional[str]
        original: Optional[str]
        why: Optional[str]
        asked: Optional[str]
        before: Optional[str]
        after: Optional[str]

    class Outcome(TypedDict):
        """The outcome of giving settings back; `unwritten`: why the journal could not be closed."""

        restored: List[ToldSetting]
        conflicts: List[ToldSetting]
        failed: List[ToldSetting]
        unwritten: List[ToldSetting]

    class OpenLoan(TypedDict):
        """A loan that could not be settled; `since` in seconds since 1970."""

        attempt: str
        since: Optional[float]
        why: str
        settings: List[ToldSetting]

    class Recovery(Outcome):
        """The answer of `recover` about all loans: `busy` are attempts that still run."""

        busy: List[str]
        open: List[OpenLoan]

    class _Record(TypedDict):
        state: str
        opened: Moment
        boot_id: str
        lease: float
        settings: List[JournalSetting]

    class LoanRecord(_Record, total=False):
        """loan.json: see loan.py."""

        why: str
        closed: Moment

    class Tuned(TypedDict, total=False):
        """The settings around a run, by what became of them."""

        applied: List[ToldSetting]
        changed: List[ToldSetting]
        restored: List[ToldSetting]
        conflicts: List[ToldSetting]
        failed: List[ToldSetting]
        unwritten: List[ToldSetting]
        left_out: List[str]
        in_force: List[ToldSetting]

    class Command(TypedDict):
        """One process of a job."""

        role: str
        fills: str
        argv: List[str]
        files: List[str]
        listens: str
        always: bool
        may_fail: bool
        seconds: float

    class Backing(TypedDict):
        """The file that a loop device shows."""

        inode: int
        birth: Optional[str]
        generation: Optional[int]

    class Fingerprint(TypedDict):
        """The content of a disk: see content.py."""

        version: int
        size: int
        blocks: Optional[str]
        written: bool
        discarded: bool
        backing: Optional[Backing]

    class DiskTarget(TypedDict):
        """A disk by its identity; `size` in bytes. `needs`: bytes of files, where a file system is
        made on it.
        """

        kind: Literal["disk"]  # novm
        identity: str
        size: Optional[int]
        write: bool
        allow_signatures: bool
        fingerprint: Optional[Fingerprint]
        needs: int

    class DirectoryTarget(TypedDict):
        """A directory by its path; `needs` in bytes."""

        kind: Literal["directory"]  # novm
        path: str
        needs: int
        write: bool

    Target = Union[DiskTarget, DirectoryTarget]

    class Hold(TypedDict):
        """For how long a job waits for its release."""

        seconds: float

    class Pin(TypedDict):
        """The number of threads that are placed on CPUs for each target."""

        threads: int

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

    class Released(TypedDict):
        """When a held job was to start and did, in monotonic seconds."""

        at: float
        started: Optional[float]

    # Why a run was ended before its time, as exit.json names it.
    Reason = Literal["timed_out", "over_limit", "pool_full", "cancelled"]

    class _Result(TypedDict):
        """The end of the commands, in exit.json: see outcome.py."""

        ran: List[int]
        codes: List[Optional[int]]
        signals: List[Optional[str]]
        parts: List[Dict[str, List[int]]]
        times: List[Tuple[float, float]]
        given_up: List[int]
        started: Optional[Moment]
        ended: Optional[Moment]
        clock_step: float
        timed_out: bool
        over_limit: bool
        pool_full: bool
        cancelled: bool

    class Result(_Result, total=False):
        """The same, with the error of the agent itself where there was one."""

        error: str

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

    class Osd(TypedDict):
        """An OSD as its cluster tells of it: `devices` by the kernel's names, `inside`: it takes
        part in keeping data.
        """

        id: int
        host: str
        addresses: List[str]
        devices: List[str]
        store: str
        up: bool
        inside: bool

    class Survivor(TypedDict):
        """A process that is left of a job that was cancelled."""

        pid: int
        state: str
        name: str

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
    Moment = Setting = Restart = JournalSetting = ToldSetting = Outcome = OpenLoan = Recovery = dict
    LoanRecord = Tuned = Command = Backing = Fingerprint = Target = dict
    DiskTarget = DirectoryTarget = Hold = Pin = Spec = Released = Result = dict
    Reason = str
    OutputFile = Description = Osd = Survivor = Health = HardwareQueue = NumaNode = dict

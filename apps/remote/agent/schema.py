"""Types of the agent's objects.

Types shared with the server are declared there and imported for the type checker only; on a host
they are plain dictionaries. Requests are validated on receipt (validators.py, jobs/spec.py).
"""

from typing import Callable, Dict, List, Mapping, Optional

TYPE_CHECKING = False

# Fields of a request are validated before use.
Request = Dict[str, object]
Response = Mapping[str, object]
Emit = Callable[[Response, bytes], None]

if TYPE_CHECKING:
    from typing import Literal, TypedDict  # novm

    from apps.remote import cluster_responses, host_conditions, job_spec, responses
    from apps.remote import host_settings as settings

    HostTimestamp = responses.HostTimestamp
    Osd = cluster_responses.ClusterOsd
    CephDaemon = cluster_responses.CephDaemon
    DaemonKind = cluster_responses.DaemonKind
    Survivor = responses.Survivor
    Exit = responses.Exit
    HeldStart = responses.HeldStart
    HostConditions = host_conditions.HostConditions
    KernelErrors = host_conditions.KernelErrors
    TuningResult = responses.TuningResult
    JournalRecord = responses.TuningJournal
    SettingSpec = settings.SettingSpec
    JournalSetting = settings.JournalSetting
    ReportedSetting = settings.ReportedSetting
    ObservedSetting = settings.ObservedSetting
    Restart = settings.Restart
    Command = job_spec.CommandSpec
    Target = job_spec.TargetSpec
    DiskTarget = job_spec.DiskSpec
    DirectoryTarget = job_spec.DirectorySpec
    Fingerprint = job_spec.Fingerprint
    BackingFile = job_spec.BackingFile
    Hold = job_spec.HoldSpec
    Pin = job_spec.PinSpec
    Power = job_spec.PowerSpec
    Disturbance = job_spec.DisturbanceSpec

    # Why a run was ended early, as named in exit.json.
    EndReason = Literal["timed_out", "over_limit", "pool_full", "cancelled"]

    # Result of restoring: restored, conflicts, failed; unwritten: why the journal stays open.
    RestoreResult = Dict[str, List[ReportedSetting]]

    class Spec(TypedDict):
        """A validated job with defaults: times in seconds, `limit` in bytes.

        `has_target_list`: the targets were given as a list.
        """

        attempt: str
        commands: List[Command]
        tuning: List[SettingSpec]
        watch: List[str]
        deadline: Optional[float]
        limit: Optional[float]
        hold: Optional[Hold]
        pin: Optional[Pin]
        power: Optional[Power]
        ceph: bool
        allow_untuned: bool
        disturbance: Optional[Disturbance]
        targets: List[Target]
        has_target_list: bool
        settle: float
        lease: float
        carry: str

    class OutputFile(TypedDict):
        """A file of a job: size in bytes, and SHA-256 once all writers have ended."""

        name: str
        size: int
        sha256: Optional[str]

    class JobStatus(TypedDict, total=False):
        """A job as far as it is known (jobs/status.py)."""

        state: str
        deleted: bool
        reason: Optional[str]
        phase: Optional[str]
        exit: object
        refused: object
        journal: object
        argv: object
        command: object
        boot_id: Optional[str]
        listening: bool
        files: List[OutputFile]

    class ClusterHealth(TypedDict):
        """Health of a Ceph cluster: messages by code, names of full pools."""

        status: Optional[str]
        checks: Dict[str, str]
        full: List[str]
        error: str

    class ClusterSample(TypedDict):
        """A second of a cluster: placement groups by state, objects, rates, health checks."""

        states: Dict[str, int]
        pgs: int
        objects: int
        degraded: int
        misplaced: int
        unfound: int
        recovery_bytes: int
        recovery_objects: int
        read_ops: int
        write_ops: int
        checks: List[str]

    class HardwareQueue(TypedDict):
        """The CPUs of a hardware queue."""

        queue: int
        cpus: List[int]

    class NumaNode(TypedDict):
        """The CPUs of a NUMA node."""

        node: int
        cpus: List[int]

else:
    BackingFile = Command = JobStatus = DirectoryTarget = DiskTarget = Fingerprint = dict
    ClusterSample = Disturbance = HostConditions = KernelErrors = dict
    HardwareQueue = ClusterHealth = Hold = JournalSetting = JournalRecord = HostTimestamp = (
        NumaNode
    ) = dict
    Osd = CephDaemon = RestoreResult = OutputFile = Pin = Power = HeldStart = Restart = Exit = (
        ObservedSetting
    ) = dict
    SettingSpec = Spec = Survivor = Target = ReportedSetting = TuningResult = dict
    EndReason = DaemonKind = str

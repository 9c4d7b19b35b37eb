"""Interface of every tool plugin: typed parameters, commands to run, and a parser of the output.

Canonical units everywhere: bytes, bytes per second, operations per second, nanoseconds, seconds for
durations.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, Protocol

from apps.tools.messages import join_messages, message
from apps.tools.values import Parameters, Values

from .bundles.bundle import LogSet, OutputBundle
from .plan_templates import PlanLoad, PlanTemplate
from .split_output.call import Call, ParsedCommand, ParsedStep
from .split_output.job_import import ImportedSteps
from .words import gettext_noop

Completeness = Literal["whole", "partial", "unknown"]
TargetKind = Literal["disk", "directory", "pool", "pair"]
Role = Literal["operation", "block", "depth", "jobs", "rate", "size", "time"]
"""The role of a parameter, whatever its tool calls it: what is done, bytes per operation,
operations in flight, how many do the same at once, operations a second at most, bytes that are
worked on, seconds.
"""
CONCURRENCY: frozenset[Role] = frozenset({"depth", "jobs"})
LOAD: frozenset[Role] = CONCURRENCY | {"rate"}


class ToolError(Exception):
    """The tool said no: it failed, and this is what it said."""


class OutputError(Exception):
    """benchlab could not read what the tool printed (or it printed nothing)."""


class ParamsError(ValueError):
    """Parameters a plan may not have: `errors` maps a parameter's name to one clear sentence."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        told = [message("%(name)s: %(why)s", name=name, why=why) for name, why in errors.items()]
        super().__init__(join_messages(*told))
        self.errors = dict(errors)


class PointError(ParamsError):
    """Values that are right alone and cannot be together, such as a record larger than its file: a
    sweep leaves such a point out, as long as others remain.
    """


@dataclass(frozen=True)
class Field:
    """One parameter as people meet it: in a form, in the API's schema, in docs.

    `kind`: "size" and "duration" are typed by people with suffixes (4k, 1G; 30s, 5m) and kept as
    bytes and seconds; "choice" takes one of `choices`; "flag" is true or false; "name" is
    `[A-Za-z0-9_-]{1,32}`; "text" is what matches the regular expression `pattern` as a whole, such
    as `example`, and may hold commas. `role`: what it is to pages and checks that know no tool;
    None where they need not know. `rare`: a form shows it once it was searched for or is set.
    `absent`: words for no value, such as "the whole disk". `labels`: those of the choices, in their
    order; none where the choices themselves are shown.

    Members of a stored struct (apps.common.schemas.struct_fields) also have the kinds "number" and
    "group": a float, and a struct whose own fields stand together. `group` is then the struct that
    another field stands with.
    """

    kind: Literal[
        "int", "number", "size", "duration", "choice", "flag", "name", "cpus", "text", "group"
    ]
    label: str
    help: str = ""
    choices: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    unit: str = ""
    group: str = gettext_noop("Basics")
    optional: bool = False
    role: Role | None = None
    rare: bool = False
    pattern: str = ""
    example: str = ""
    absent: str = ""

    @property
    def holds_commas(self) -> bool:
        """Whether one value may have commas, so that several values are parted by semicolons."""
        return self.kind in ("cpus", "text")


@dataclass(frozen=True)
class Part:
    """One parameter as a label shows it. `value` is canonical (bytes, seconds, counts); `text` has
    its unit: "4 KiB", "QD 64", "2 jobs". `close`: it follows the part before it without a comma.
    """

    name: str
    value: Any
    text: str
    close: bool = False


class Params(Protocol):
    """A frozen dataclass in `<plugin>/params.py`: one point of a sweep, every value canonical.

    `later`: parameters that the plugin did not always have, with the values at which they are left
    out of the identity.
    """

    later: ClassVar[Parameters]

    @classmethod
    def fields(cls) -> Mapping[str, Field]:
        """The parameters a plan may set, in the order a form shows them."""

    @classmethod
    def from_raw(cls, raw: Mapping[str, Any]) -> Params:
        """One point from what a person or script wrote ("4k", "128", 300). Raises ParamsError."""

    def canonical(self) -> Parameters:
        """Every parameter that changes the measurement, defaults included, canonical units: the
        workload's identity.
        """

    def describe(self) -> str:
        """A short label for people: "random write 4 KiB, QD 128", of its parts."""

    def parts(self) -> tuple[Part, ...]:
        """The label's parts, parameter by parameter."""


@dataclass(frozen=True)
class PoolPlan:
    """The layout of a Ceph pool that benchlab makes and that it also deletes. `replicas` is for a
    replicated pool; `k` and `m` are the chunks of an erasure coded one (k = 0: replicated).
    """

    pg_num: int = 64
    replicas: int | None = None
    k: int = 0
    m: int = 0
    failure_domain: Literal["host", "osd"] = "host"


@dataclass(frozen=True)
class ToolTarget:
    """The target of a test. Of a disk or a directory `identity` is its own, and the agent replaces
    the word `{target}` inside arguments by the device node or directory that carries it on the host
    at that moment; nobody else knows a `/dev` name. Of a pool it is the pool's name, of a pair of
    hosts the server's address on the network under test.

    `count`: so many disks or directories of one host are used at once: `{target0}`, `{target1}` ...
    are they, `{target}` the first; `size` is the smallest one's. `pinned`: the tuning asks for one
    CPU per hardware queue: `{cpus}` (`{cpus0}` ... for several) becomes the chosen list, "0,4,1".
    `make`: the pool is made before the test and deleted after it; None where it is found.
    `zoned`: a disk's word on its zones (none, host-aware, host-managed), empty where not known.
    """

    kind: TargetKind
    identity: str
    size: int | None = None
    count: int = 1
    pinned: bool = False
    make: PoolPlan | None = None
    zoned: str = ""


@dataclass(frozen=True)
class Command:
    """One process on one host. `argv` is data: it never passes through a shell. The working
    directory is the attempt's job folder, so output files are plain names. The word `{attempt}`
    becomes 12 hexadecimal digits of the attempt's id, `{client}` the host's number from 0 among
    those that take part.

    `on`: every host that takes part, only the first, or the server of a pair. `act`: commands of an
    act start when all hosts have ended the one before; with several hosts they start together.
    `always`: also when an earlier command failed or was cancelled (tidying up). `may_fail`: another
    exit code than 0 is no failure of the attempt (asking for facts). `listens`: "tcp:5201" makes it
    a server: the other commands of its act start when something listens there, and it is ended
    after them. `seconds`: how long an `always` command may take before it is given up. `fills`: the
    Ceph pool it writes into; when that is full it is ended, as it would wait for ever.
    """

    role: str
    argv: tuple[str, ...]
    files: tuple[str, ...] = ()
    on: Literal["each", "lead", "server"] = "each"
    act: int = 0
    always: bool = False
    may_fail: bool = False
    listens: str = ""
    seconds: float = 60.0
    fills: str = ""


@dataclass(frozen=True)
class Procedure:
    """The commands of one case, in order.

    `seconds`: expected duration without set-up; `writes`: true unless every command can only read;
    `bytes_written`: expected bytes written to the target, None if it cannot be told before the run;
    `space_needed`: bytes of files a directory must have room for; `threads`: how many threads are
    placed on CPUs of their own when the target is pinned.
    """

    commands: tuple[Command, ...]
    seconds: float
    writes: bool
    bytes_written: int | None = None
    space_needed: int = 0
    threads: int = 1


@dataclass(frozen=True)
class Output:
    """Everything an attempt left behind on one host: file name -> bytes ("stdout" and "stderr"
    always among them; of a pair the client's, with the server's as "server.stdout" ...).

    `roles`: the stdout of each command by its role, where it is known whose is whose. `large`: what
    the plugin `reads_in_pieces`, to be read once; such a file is empty among `files`.
    """

    files: Mapping[str, bytes]
    exit_code: int | None = None
    params: Parameters = field(default_factory=dict)
    roles: Mapping[str, bytes] = field(default_factory=dict)
    large: Mapping[str, Iterable[bytes]] = field(default_factory=dict)


@dataclass(frozen=True)
class Latency:
    """Nanoseconds; None where the tool did not say. `percentiles` maps "99.9" to nanoseconds."""

    min: float | None = None
    mean: float | None = None
    max: float | None = None
    stddev: float | None = None
    percentiles: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Histogram:
    """A full latency distribution on fio's log-linear bins: `bins` are bin values in ns (the middle
    of the bucket, ascending), `counts` how many operations fell in each. Adding two means adding
    counts per bin.
    """

    bins: tuple[int, ...]
    counts: tuple[int, ...]


@dataclass(frozen=True)
class Windows:
    """Statistics of the values of a series: their number, and the least, mean, most and standard
    deviation of them.
    """

    count: int
    minimum: float
    mean: float
    maximum: float
    stddev: float


@dataclass(frozen=True)
class Series:
    """One metric over time: value i covers `interval` seconds from `start + i * interval` after the
    tool started. `windows`: their statistics where the output states nothing else of them.
    """

    metric: str
    values: Sequence[float | None]
    start: float = 0.0
    interval: float = 1.0
    windows: Windows | None = None


@dataclass(frozen=True)
class HistogramSeries:
    """Latency distributions of consecutive intervals in coarse buckets: `lows` are the buckets'
    lower edges in ns, ascending; `counts` has a row for each interval with a number for each
    bucket. Interval i covers `interval` seconds from `start + i * interval` after the tool
    started.
    """

    lows: tuple[int, ...]
    counts: Sequence[Sequence[int]]
    start: float = 0.0
    interval: float = 1.0


@dataclass(frozen=True)
class Measurement:
    """One operation of one parameter point: totals as the measurement, parts and other figures in
    `values`. `part`: empty for the whole; "target0", "target1" ... for one of several disks or
    directories that were used at once; histograms of parts add up to the whole's. `job`, `group`:
    what the user called the test, and its number among tests of one output that ran one after the
    other; where parameters are missing, nothing else tells two tests apart.
    """

    operation: str
    bandwidth: float | None
    iops: float | None
    latency: Latency = field(default_factory=Latency)
    params: Parameters = field(default_factory=dict)
    values: Values = field(default_factory=dict)
    series: Sequence[Series] = ()
    histogram: Histogram | None = None
    over_time: HistogramSeries | None = None
    part: str = ""
    job: str = ""
    group: int | None = None
    client: str = ""
    call: int = 1
    target: str = ""
    unread_options: tuple[str, ...] = ()
    completeness: Completeness | None = None
    warnings: tuple[str, ...] = ()
    lines: tuple[int, int] | None = None


@dataclass(frozen=True)
class Parsed:
    """The result of a parser. `format` and `version` name the output's own format and the tool's
    version. `warnings`: remarks about the output as a whole; a remark about one result stands with
    that result. `completeness` counts for each measurement that has none of its own, and is the
    worst of all results. `began`, `ended`: seconds since 1970, where the output itself says when it
    was. `corrupt`: a sentence where the tool read back something else than was written.
    """

    tool: str
    format: str
    version: str | None
    measurements: tuple[Measurement, ...]
    warnings: tuple[str, ...] = ()
    completeness: Completeness = "whole"
    began: float | None = None
    ended: float | None = None
    corrupt: str = ""


@dataclass(frozen=True)
class LiveSample:
    """One interval of a running tool. `seconds` is the interval's end after the tool's start; per
    operation: {"read": {"iops": .., "bandwidth": .., "latency": ..}} (1/s, bytes/s, mean ns).
    """

    seconds: float
    operations: Mapping[str, Mapping[str, float]]


class Progress(Protocol):
    """Live figures: fed the bytes of `Tool.live_file` as they arrive, in pieces cut anywhere."""

    @property
    def held(self) -> int:
        """The number of those bytes that are kept, as what they belong to has not ended yet."""

    def feed(self, data: bytes) -> list[LiveSample]:
        """The samples completed by these bytes."""


class Tool(Protocol):
    """Interface of a tool, registered in `registry.TOOLS`; `plugin.ToolPlugin` has defaults.

    `programs`: what it runs -> the package that a host installs it from, by Debian's name ("" where
    nothing needs to be installed). `targets`: the kinds of targets it can be run on (a plan's step
    is run on those of its targets); `several`: it uses several disks or directories of one host at
    once; `pins`: it places its threads on given CPUs; `is_monitor`: it records devices while
    another tool tests them; `setup_params`: the parameters of what a plan prepares for a test,
    which no call states; `operations`: what it can measure, in the order in which people of the
    tool speak of it. `random`: the values of the parameter with the role "operation" that access
    at random. `command_names`: the names of the programs whose calls `parse_command` reads.
    `roles`: those of parameters that its outputs tell and
    no plan has. `templates`: plans to start from, by key; `loads`: those for a disk that its page
    offers, by key. `pastes`: what can be pasted as steps, such as "a job file"; empty where nothing
    can. `prepares`: what it does to a whole disk before anything is measured there: the kind of
    preparation -> raw parameters. `prefixed`: a list of several tools' tests has its name before
    each label.
    """

    name: str
    label: str
    parser_version: int
    params: type[Params] | None
    programs: Mapping[str, str]
    live_file: str | None
    targets: tuple[TargetKind, ...]
    several: bool
    pins: bool
    is_monitor: bool
    setup_params: frozenset[str]
    operations: tuple[str, ...]
    random: frozenset[str]
    command_names: frozenset[str]
    roles: Mapping[str, Role]
    templates: Mapping[str, PlanTemplate]
    loads: Mapping[str, PlanLoad]
    pastes: str
    prepares: Mapping[str, Parameters]
    prefixed: bool

    def recognises(self, data: bytes) -> bool:
        """Whether these bytes look like this tool's output (for `parse` and imports without a tool
        name).
        """

    def claims(self, line: str) -> bool:
        """Whether only this tool, or somebody who called it, writes such a line: a text into which
        outputs of several tools were pasted is split at them.
        """

    def reads_in_pieces(self, name: str) -> bool:
        """Whether a file of that name beside a result may be given as pieces (`Output.large`)."""

    def procedure(self, params: Params, target: ToolTarget) -> Procedure:
        """The commands for one case."""

    def targets_for(self, raw: Mapping[str, object]) -> tuple[TargetKind, ...]:
        """The kinds of targets that a step with these parameters, as somebody wrote them, can
        use.
        """

    def operation_params(self, params: Parameters, operation: str) -> Parameters:
        """Return those canonical plan parameters that determine the result of one operation, with
        the operation itself where a plan measures several: rados' `seq` of a write+seq+rand test.
        """

    def exact_params(self, known: Parameters, operation: str) -> Parameters | None:
        """Return `operation_params` of a test that an output states completely, else None. `known`
        has the names of plan parameters.
        """

    def options_of(self, params: Parameters) -> Sequence[str]:
        """The parameters of a test that are options which not every version of the tool has;
        "option=value" where it is the value that not every one has.
        """

    def parse_command(self, call: Call) -> ParsedCommand:
        """The tests that one call of the tool makes, with a note for each option that is no
        parameter. Raises CommandError for a call that is no test of a plan.
        """

    def join_commands(
        self, steps: Sequence[ParsedStep]
    ) -> Sequence[tuple[Sequence[int], ParsedCommand]]:
        """Tests that followed one another, with those joined that a plan has as one step: the
        numbers of the tests, and what they are together.
        """

    def parse_file(self, text: str) -> ParsedCommand:
        """The tests of a job file. Raises CommandError."""

    def steps_from(self, text: str) -> ImportedSteps:
        """A text written for the tool itself as steps of a plan, with a sentence for each piece
        that is none.
        """

    def parse(self, output: Output) -> Parsed:
        """Read an attempt's files, or an imported file given as "stdout". Raises ToolError or
        OutputError.
        """

    def progress(self) -> Progress | None:
        """A fresh reader of live output, or None if the tool has none."""

    def folder_says(self, name: str) -> Parameters:
        """Parameters in the name of a folder above a result, as the Ceph benchmarking
        tool (CBT) names them: "op_size-00004096".
        """

    def logs(self, paths: Sequence[str]) -> Sequence[LogSet]:
        """The tool's logs among these files, by what wrote them."""

    def bundles(self, files: Mapping[str, bytes], logs: Sequence[LogSet]) -> Sequence[OutputBundle]:
        """Results of the tool that are several files; files: path -> its first bytes. A file that
        is in none of them stands alone.
        """

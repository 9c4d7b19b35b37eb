"""Totals over the commands of one sweep point on one target, for all hosts and members."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from apps.plans.domain.target_matching import runnable_tool
from apps.plans.schemas.planned import PlannedTuning
from apps.plans.schemas.targets import PlannedHost, PlannedMember, PlannedTarget
from apps.tools.fields import Params
from apps.tools.procedure import Command, Procedure
from apps.tools.tool import Tool


@dataclass(frozen=True)
class CommandTotals:
    """The commands of all hosts.

    `bytes_written`: over all hosts, None if only a device's speed decides. `timed_seconds`: seconds
    of writing with unknown bytes, summed over the hosts. `programs`: required programs by host id.
    """

    seconds: float
    writes: bool
    bytes_written: int | None
    timed_seconds: float
    threads: int
    programs: Mapping[int, tuple[str, ...]]


Procedures = Mapping[tuple[bool, bool], CommandTotals]
"""Work by whether the tuning pins threads, and whether it puts files on disks: the procedure may
depend on both."""


def procedures_of(
    tool: str, params: Params, target: PlannedTarget, tunings: Iterable[PlannedTuning]
) -> Procedures:
    """Return the commands under every kind of tuning profile that the plan has.

    Raises: ParamsError.
    """
    plugin = runnable_tool(tool)
    assert plugin is not None, "a step without a tool has no points"
    result: dict[tuple[bool, bool], CommandTotals] = {}
    for tuning in tunings:
        requested = (
            tuning.pins and plugin.pins,
            tuning.makes_files and takes_files(plugin, target),
        )
        if requested not in result:
            result[requested] = _work(plugin, params, target, *requested)
        result[tuning.pins, tuning.makes_files] = result[requested]
    return result


def takes_files(plugin: Tool, target: PlannedTarget) -> bool:
    """Return True if the tool also works in files on these disks."""
    return target.uses == "disk" and "directory" in plugin.targets


def _work(
    plugin: Tool, params: Params, target: PlannedTarget, pinned: bool, in_files: bool
) -> CommandTotals:
    requested = target.for_tools(pinned=pinned)
    if in_files:
        requested = [
            replace(one, kind="directory", size=None, zoned="", device_kind="") for one in requested
        ]
    done = [plugin.build_procedure(params, one) for one in requested]
    # With one procedure for a pair, both ends take their commands from it.
    shares = done if len(done) == len(target.hosts) else done * len(target.hosts)
    known = [one.bytes_written for one in done if one.writes]
    return CommandTotals(
        seconds=max(one.seconds for one in done),
        writes=in_files or any(one.writes for one in done),
        bytes_written=None if None in known else sum(filter(None, known)),
        timed_seconds=sum(map(_timed, done)),
        threads=max(one.threads for one in done),
        programs={
            host.id: _programs(one, target.parts_on(host)[0], host, target)
            for host, one in zip(target.hosts, shares, strict=True)
        },
    )


def _timed(procedure: Procedure) -> float:
    """Return the seconds of writing whose bytes depend on the device's speed."""
    return procedure.seconds if procedure.writes and procedure.bytes_written is None else 0.0


def _programs(
    procedure: Procedure, part: PlannedMember, host: PlannedHost, target: PlannedTarget
) -> tuple[str, ...]:
    leads = host.id == target.host.id
    mine = [one for one in procedure.commands if _runs(one, part, leads)]
    names = [one.argv[0].rpartition("/")[2] for one in mine]
    return tuple(dict.fromkeys(name for name in names if not name.startswith("@")))


def _runs(command: Command, part: PlannedMember, leads: bool) -> bool:
    """Return True if a command runs on this host (`Command.on`)."""
    if command.on == "server":
        return part.role == "server"
    return command.on == "each" or leads

"""Measurements of a report in fio's text, each with its own state and remarks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from apps.tools.fio.parser.clients import all_clients
from apps.tools.fio.parser.direction import SYNC, Part
from apps.tools.fio.parser.errors import tolerated_errors
from apps.tools.fio.parser.tables import combine, disk_names, disks_name
from apps.tools.fio.parser.totals import measurement
from apps.tools.parse_result import Completeness, Measurement
from apps.tools.values import Parameters, Values

from . import patterns as pattern
from .announcements import Shared
from .block import Block
from .runs import TextRun

NO_RESULT = "There is no result of fio in this output."
CUT = "The output is cut off."
VERIFICATION = "Verification failed; blocks that were not as fio wrote them: {:,}; the first: {}"
Key = tuple[int, str]


@dataclass(frozen=True)
class Ending:
    """End of the text: whether a report is the last one, and whether its last line is truncated."""

    is_last: bool
    cut: bool


def measurements(run: TextRun, ending: Ending) -> list[Measurement]:
    """Return the results of a report, each followed by those of its clients."""
    by_key: dict[Key, list[Block]] = {}
    for block in run.blocks:
        for operation in block.operations:
            by_key.setdefault((block.group, operation), []).append(block)
    result = [
        each for key, blocks in by_key.items() for each in _of_key(run, key, blocks, by_key, ending)
    ]
    return [*result, *_totals(run)]


def _of_key(
    run: TextRun, key: Key, blocks: list[Block], keys: Iterable[Key], ending: Ending
) -> list[Measurement]:
    group, operation = key
    shared = Shared.of(blocks)
    clients = list(dict.fromkeys(block.client for block in blocks))
    state = _state(run, group, ending)
    values = combine([block.whole for block in blocks])
    disks = {disks_name(len({number for number, _ in keys})): run.disks} if run.disks else {}
    printed = blocks[0].printed(operation) if len(blocks) == 1 else {}
    params = shared.params | _jobs(run, group, blocks)
    names = {each.name for each in blocks if each.name != pattern.ALL_CLIENTS}
    whole = replace(
        measurement(
            operation,
            _parts(blocks, operation),
            all_clients(params, len(clients)),
            values | printed | disks,
            [],
            group=group,
            only_direction=_is_only_direction(keys, group),
        ),
        client=clients[0] if len(clients) == 1 else "",
        call=run.call,
        target=_target(run, {number for number, _ in keys}),
        unread_options=(
            *shared.unread,
            *(() if names or not _all_clients(blocks) else ("client",)),
        ),
        completeness=state,
        warnings=tuple(_warnings(run, group, state)),
        lines=(run.first, run.last),
    )
    if len(clients) < 2:
        return [whole]
    return [whole, *(_share(whole, client, blocks) for client in clients)]


def _target(run: TextRun, groups: Collection[int]) -> str:
    """Return the disks of the only group; if several groups share them, a single disk."""
    names = disk_names(run.disks, run.arrays)
    return names if len(groups) == 1 or "," not in names else ""


def _share(whole: Measurement, client: str, blocks: Sequence[Block]) -> Measurement:
    """Return one client's component of a measurement."""
    client_blocks = [block for block in blocks if block.client == client]
    share = measurement(
        whole.operation,
        _parts(client_blocks, whole.operation),
        whole.params,
        combine([block.whole for block in client_blocks]),
        [],
        component=client,
        group=whole.group or 0,
    )
    return replace(
        whole,
        bandwidth=share.bandwidth,
        iops=share.iops,
        latency=share.latency,
        values=share.values,
        component=client,
        client=client,
    )


def _parts(blocks: Sequence[Block], operation: str) -> list[Part]:
    parts = [block.part(operation) for block in blocks]
    for part, block in zip(parts, blocks, strict=True):
        part.client = block.client
        if _all_clients([block]):
            part.job = ""  # not the name of a job
    return parts


def _all_clients(blocks: Sequence[Block]) -> bool:
    return all(block.name == pattern.ALL_CLIENTS for block in blocks)


def _is_only_direction(keys: Iterable[Key], group: int) -> bool:
    return sum(number == group and name != SYNC for number, name in keys) == 1


def _jobs(run: TextRun, group: int, blocks: Sequence[Block]) -> Parameters:
    """Return `numjobs` if equal for all sections, and the number of concurrent sections."""
    if not all(block.pid for block in blocks):
        return {}
    numbers = set()
    for client in {block.client for block in blocks}:
        counts: Counter[tuple[object, ...]] = Counter()
        for block in blocks:
            if block.client == client:
                counts[_section(block)] += block.jobs
        numbers |= {_each(count, section, blocks) for section, count in counts.items()}
    result: Parameters = {}
    only = numbers.pop() if len(numbers) == 1 else None
    if only:
        result["numjobs"] = only
    sections = _sections([block for block in run.blocks if block.group == group])
    return result | ({"sections": sections} if sections > 1 else {})


def _section(block: Block) -> tuple[object, ...]:
    return (block.name, *block.sections)


def _each(count: int, section: tuple[object, ...], blocks: Sequence[Block]) -> int | None:
    """Return the jobs per section reported in one block.

    Return None if fio started several jobs of some of them.
    """
    section_count = max(len(section) - 1, 1)
    if section_count == 1:
        return count
    many = any(block.many for block in blocks if _section(block) == section)
    return None if many or count != section_count else 1


def _sections(blocks: Sequence[Block]) -> int:
    """Return the number of sections of a group, or of one client if there are several."""
    numbers = []
    for client in {block.client for block in blocks}:
        client_sections = {_section(block) for block in blocks if block.client == client}
        numbers.append(sum(max(len(section) - 1, 1) for section in client_sections))
    return max(numbers, default=0)


def _state(run: TextRun, group: int, ending: Ending) -> Completeness:
    group_blocks = [block for block in run.blocks if block.group == group]
    if run.signal or run.without_sum or any(block.failures for block in group_blocks):
        return "partial"
    if run.single:
        return "unknown"
    if run.summarised(group) and not (ending.is_last and _ends_early(run, cut=ending.cut)):
        return "whole"
    if _all_clients(group_blocks):
        return "unknown"  # the sum of all clients is the last output
    if run.finished or (
        ending.is_last and not (run.followed and all(b.closed for b in group_blocks))
    ):
        return "partial"
    return "unknown"


def _ends_early(run: TextRun, *, cut: bool) -> bool:
    """Return True if the summary is incomplete.

    Disk statistics are fio's last lines; a truncated line after them is not fio's.
    """
    return not run.disks and (run.disks_announced or cut)


def _warnings(run: TextRun, group: int, state: Completeness) -> list[str]:
    failures = [text for b in run.blocks if b.group == group for text in b.failures]
    errors = [b.errors for b in run.blocks if b.group == group]
    result = [*verification(run.unverified), *run.remarks, *failures, *tolerated_errors(errors)]
    explained = failures or run.signal
    return [*result, *([CUT] if state == "partial" and not explained else [])]


def verification(unverified: Sequence[str]) -> list[str]:
    """Return a warning about data that fio read back wrong: number and first message."""
    return [VERIFICATION.format(len(unverified), unverified[0])] if unverified else []


def _totals(run: TextRun) -> list[Measurement]:
    """Return the totals of groups whose jobs are not in the text."""
    result = []
    for (group, operation), part in run.totals().items():
        disks: Values = {disks_name(len(run.finished)): run.disks} if run.disks else {}
        result.append(
            replace(
                measurement(operation, [part], {}, disks, [], group=group),
                call=run.call,
                target=_target(run, run.finished),
                completeness="unknown",
                warnings=tuple(run.remarks),
                lines=(run.first, run.last),
            )
        )
    return result

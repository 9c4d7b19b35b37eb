"""What the runs of an acceptance show about each of its disks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import msgspec
from django.db.models import Prefetch

from apps.acceptance.domain.rules import DiskEvidence, ModelFigures
from apps.acceptance.domain.steps import STANDARD_FOUR, fill_bytes
from apps.acceptance.domain.verify_errors import complaints_by_identity
from apps.acceptance.models import Acceptance, AcceptedDisk
from apps.acceptance.schemas import AcceptanceProfile, Reading
from apps.acceptance.selectors.acceptances import accepted_disks
from apps.inventory.models import CatalogueEntry, Disk
from apps.inventory.schemas.host_facts import Smart, known
from apps.inventory.selectors.catalogue import catalogue_entries, entry_of
from apps.remote.job_spec import targets_of
from apps.results.models import Measurement
from apps.results.selectors.jobs import DoneJob, jobs_of
from apps.runs.models import Attempt, Case, CaseState, Purpose, Run
from apps.runs.services.artifacts import attempt_files
from apps.tools.messages import message


@dataclass
class _Collected:
    """Evidence of one disk while the cases are read."""

    fill_done: bool = False
    fill_rate: float | None = None
    corruption: str = ""
    fill_problem: str = ""
    figures: dict[str, list[float]] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)
    smart: list[Smart] = field(default_factory=list)


def reading_of(disk: Disk) -> Reading:
    """Return what a disk reports of itself, by the last check of its host."""
    seen = disk.known
    link = seen.known_link
    return with_smart(
        Reading(
            firmware=seen.firmware or "",
            link_rate=link.rate,
            link_max_rate=link.max_rate,
            link_unit=link.unit,
        ),
        seen.smart,
    )


def with_smart(reading: Reading, smart: Smart) -> Reading:
    """Return the reading with SMART values; what is not reported stays as it was."""
    values = {
        "hours": smart.hours,
        "written": smart.written,
        "used": smart.used,
        "media_errors": smart.media_errors,
        "degrees": smart.degrees,
        "smart_passed": smart.passed,
    }
    reported = {key: one for key, one in values.items() if one is not None}
    return msgspec.structs.replace(reading, **reported)


def evidence_of(acceptance: Acceptance) -> list[DiskEvidence]:
    """Return the evidence of every disk, from the two runs and the last check."""
    rows = accepted_disks(acceptance)
    collected = {row.disk_id: _Collected() for row in rows}
    by_host = {(row.disk.host_id, row.disk.identity): row.disk_id for row in rows}
    for case in _cases(acceptance.fill_run):
        _read_fill(case, collected, by_host, acceptance.profile)
    for case in _cases(acceptance.measure_run):
        _read_test(case, collected, by_host)
    entries = catalogue_entries()
    return [_evidence(row, collected[row.disk_id], entries) for row in rows]


def _cases(run: Run | None) -> Iterable[Case]:
    """Return the measuring cases of a run with attempts and members, in order."""
    if run is None:
        return ()
    rows = Case.objects.filter(run=run, purpose=Purpose.MEASURE).order_by("sequence")
    attempts = Attempt.objects.order_by("number")
    rows = rows.select_related("workload", "run_target").prefetch_related(
        Prefetch("attempts", attempts), "run_target__members", "measurements__member"
    )
    return list(rows)


def _disks_of(case: Case, collected: Mapping[int, _Collected]) -> list[int]:
    """Return the disks of the acceptance that a case uses."""
    ids = [member.target_id for member in case.run_target.all_members]
    return [pk for pk in ids if pk is not None and pk in collected]


def _read_fill(
    case: Case,
    collected: dict[int, _Collected],
    by_host: Mapping[tuple[int, str], int],
    profile: AcceptanceProfile,
) -> None:
    """Read a fill of all disks of a host: the tool's complaints name those that failed.

    A retry clears no complaint of an earlier attempt. A disk is filled only if the tool counted
    every byte of it, written and read back: no complaint is no evidence.
    """
    attempt = _last(case)
    jobs = jobs_of(attempt) if attempt else []
    _read_smart(jobs, collected, by_host)
    corrupt, unnamed = _complaints(attempt, jobs, by_host) if attempt else ({}, "")
    is_complete = case.state == CaseState.SUCCEEDED or (bool(corrupt) and _ran_to_end(jobs))
    for earlier in list(case.attempts.all())[:-1]:
        corrupt = {**corrupt, **_complaints(earlier, jobs_of(earlier), by_host)[0]}
    sizes = {m.target_id: m.size for m in case.run_target.all_members}
    for pk in _disks_of(case, collected):
        disk, rows = collected[pk], _own(case, attempt, pk) if attempt else []
        disk.corruption = corrupt.get(pk, "")
        short = _short_text(rows, fill_bytes(profile, sizes[pk] or 0))
        disk.fill_done = is_complete and not (disk.corruption or unnamed or short)
        disk.fill_problem = "" if disk.fill_done else unnamed or case.reason or short
        if disk.fill_done:
            rates = [m.bandwidth for m in rows if m.operation == "write"]
            disk.fill_rate = next((rate for rate in rates if rate), None)


def _short_text(rows: Iterable[Measurement], wanted: int) -> str:
    """Return that fewer bytes than wanted were written or read back; empty if all were."""
    moved = {"write": 0, "read": 0}
    for row in rows:
        count = row.values.get("io_bytes")
        if row.operation in moved and isinstance(count, int | float):
            moved[row.operation] += int(count)
    if wanted and min(moved.values()) >= wanted:
        return ""
    return message(
        "Of %(wanted)d bytes, %(written)d were written and %(read)d read back.",
        wanted=wanted,
        written=moved["write"],
        read=moved["read"],
    )


def _complaints(
    attempt: Attempt, jobs: Iterable[DoneJob], by_host: Mapping[tuple[int, str], int]
) -> tuple[dict[int, str], str]:
    """Return the complaint about each disk that was read back otherwise, and one about no disk."""
    files = attempt_files(attempt)
    result: dict[int, str] = {}
    unnamed = ""
    for job in jobs:
        texts = complaints_by_identity(job.text(files, "stderr"), _nodes(job))
        for identity, text in texts.items():
            pk = by_host.get((job.host, identity))
            if pk is None:
                unnamed = unnamed or text
            else:
                result[pk] = text
    return result, unnamed


def _nodes(job: DoneJob) -> dict[str, str]:
    """Return the identity of each device node of a job's disks, as the agent claimed them."""
    nodes = job.exit.get("node") or []
    names = [nodes] if isinstance(nodes, str) else list(nodes)
    identities = [str(target.get("identity") or "") for target in targets_of(job.spec)]
    return dict(zip(names, identities, strict=False))


def _ran_to_end(jobs: Iterable[DoneJob]) -> bool:
    """Return True if the tool ended by itself: fio finishes the other disks after a complaint."""
    for job in jobs:
        ended = job.exit
        if not ended or ended.get("error") or any(ended.get("signals") or []):
            return False
        if ended.get("timed_out") or ended.get("cancelled") or ended.get("over_limit"):
            return False
        if ended.get("owner_limit"):
            return False
    return True


def _read_test(
    case: Case, collected: dict[int, _Collected], by_host: Mapping[tuple[int, str], int]
) -> None:
    attempt = _last(case)
    _read_smart(jobs_of(attempt) if attempt else [], collected, by_host)
    access = str(case.workload.params.get("rw", ""))
    for pk in _disks_of(case, collected):
        disk = collected[pk]
        values = []
        if attempt and case.state == CaseState.SUCCEEDED:
            values = list(_figures(_own(case, attempt, pk), access))
        disk.figures.setdefault(access, []).extend(values)
        if not values:
            disk.problems[access] = case.reason or attempt_problem(attempt)


def attempt_problem(attempt: Attempt | None) -> str:
    """Return why an attempt has no valid result."""
    return (attempt.invalid_reason or attempt.reason) if attempt else ""


def _figures(rows: Iterable[Measurement], access: str) -> Iterator[float]:
    """Yield operations/s of random tests, bytes/s of sequential ones; only valid ones."""
    for row in rows:
        value = row.iops if access.startswith("rand") else row.bandwidth
        if row.valid and value and row.operation == access.removeprefix("rand"):
            yield value


def _own(case: Case, attempt: Attempt, disk: int) -> list[Measurement]:
    """Return the measurements of a disk: its component of a group, else the whole."""
    rows = [row for row in case.measurements.all() if row.attempt_id == attempt.pk]
    if case.run_target.target_id == disk:
        return [row for row in rows if not row.component]
    return [row for row in rows if row.member is not None and row.member.target_id == disk]


def _last(case: Case) -> Attempt | None:
    attempts = list(case.attempts.all())
    return attempts[-1] if attempts else None


def _read_smart(
    jobs: Iterable[DoneJob],
    collected: Mapping[int, _Collected],
    by_host: Mapping[tuple[int, str], int],
) -> None:
    for job in jobs:
        for readings in (job.exit.get("smart_before"), job.exit.get("smart")):
            for identity, raw in (readings or {}).items():
                pk = by_host.get((job.host, identity))
                if pk is not None:
                    collected[pk].smart.append(known(Smart, raw))


def _evidence(
    row: AcceptedDisk, collected: _Collected, entries: list[CatalogueEntry]
) -> DiskEvidence:
    disk = row.disk
    before = with_smart(row.before, collected.smart[0]) if collected.smart else row.before
    after = before
    for smart in collected.smart:
        after = with_smart(after, smart)
    degrees = [smart.degrees for smart in collected.smart if smart.degrees is not None]
    if degrees:
        after = with_smart(after, Smart(degrees=max(degrees)))
    evidence = DiskEvidence(
        disk=disk.pk,
        sibling_group=f"{disk.model_name} {disk.size}",
        present=bool(disk.device_path) and not disk.known.ambiguous,
        before=before,
        after=after,
        fill_done=collected.fill_done,
        fill_rate=collected.fill_rate,
        corruption=collected.corruption,
        fill_problem=collected.fill_problem,
        figures={test: collected.figures.get(test, []) for test in STANDARD_FOUR},
        problems=collected.problems,
        bus_group=f"{disk.host_id} {disk.known.bus}",
    )
    entry = entry_of(disk, entries)
    return replace(evidence, model=_model(entry)) if entry else evidence


def _model(entry: CatalogueEntry) -> ModelFigures:
    return ModelFigures(
        randwrite=entry.random_write_iops,
        randread=entry.random_read_iops,
        write=entry.sequential_write_rate,
        read=entry.sequential_read_rate,
        slowest_fill=entry.slowest_fill_rate,
    )

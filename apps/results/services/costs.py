"""Store what an attempt cost: wear of its disks and energy of its hosts."""

from __future__ import annotations

from collections.abc import Sequence

from apps.inventory.models import Disk
from apps.results.models import AttemptCost, DiskWear, Series
from apps.results.selectors.jobs import DoneJob, Files, jobs_of
from apps.results.services.devices import device_samples, log_name
from apps.results.services.disk_wear import DiskCounts, counts_of, write_amplification
from apps.results.services.energy import energy_figures, read_logs
from apps.results.services.write import NewSeries, series_replace
from apps.runs.models import Attempt
from apps.tools import parse_result
from apps.tools.devices.blockstat import SECTOR
from apps.tools.devices.power import LOG
from apps.tools.messages import message
from apps.tools.parse_result import Parsed

SUBJECT = "attempt"
_WRITTEN_SECTORS = 6  # /sys/block/<name>/stat


def costs_store(*, attempt: Attempt, files: Files, parsed: Parsed | None) -> None:
    """Replace the costs of an attempt. Call it in a transaction."""
    jobs = jobs_of(attempt)
    disks = counts_of(jobs)
    DiskWear.objects.filter(attempt=attempt).delete()
    AttemptCost.objects.filter(attempt=attempt).delete()
    if not jobs:
        series_replace([attempt], Series.Source.COST, [])
        return
    _wear_write(attempt, disks, kernel_bytes(attempt, files))
    amplification, wear_reason = write_amplification(disks)
    if attempt.case.background:
        figures: dict[str, float] = {}
        energy_reason: str = message("a background load uses energy, too")
    else:
        figures, energy_reason = _energy(jobs, files, parsed)
    if amplification is not None:
        figures["write_amplification"] = amplification
    seconds = max(_seconds(job) for job in jobs)
    new = [
        NewSeries(
            attempt, Series.Source.COST, SUBJECT, parse_result.Series(key, (value,), 0.0, seconds)
        )
        for key, value in figures.items()
    ]
    series_replace([attempt], Series.Source.COST, new)
    AttemptCost.objects.create(
        attempt=attempt, wear_reason=wear_reason, energy_reason=energy_reason
    )


def _energy(
    jobs: Sequence[DoneJob], files: Files, parsed: Parsed | None
) -> tuple[dict[str, float], str]:
    if parsed is None:
        return {}, ""
    measuring = [job for job in jobs if job.measures]
    logs = read_logs(measuring, files, lambda job: log_name(job, list(jobs), LOG))
    return energy_figures(parsed, measuring, logs)


def kernel_bytes(attempt: Attempt, files: Files) -> dict[tuple[str, str], int]:
    """Return the bytes that each host wrote to each disk, by host name and kernel name."""
    return {
        (host, device): SECTOR
        * (samples[-1].stat[_WRITTEN_SECTORS] - samples[0].stat[_WRITTEN_SECTORS])
        for host, device, samples in device_samples(attempt, files)
        if len(samples) > 1
    }


def _wear_write(
    attempt: Attempt, disks: Sequence[DiskCounts], kernel: dict[tuple[str, str], int]
) -> None:
    identities = [disk.identity for disk in disks]
    rows = Disk.objects.filter(identity__in=identities, host__in=[disk.host for disk in disks])
    known = {(row.host_id, row.identity): row for row in rows}
    DiskWear.objects.bulk_create(
        DiskWear(
            attempt=attempt,
            host_id=disk.host,
            disk=known.get((disk.host, disk.identity)),
            identity=disk.identity,
            name=disk.name,
            host_bytes=disk.host_bytes,
            nand_bytes=disk.nand_bytes,
            kernel_bytes=kernel.get((disk.host_name, disk.name)),
            resolution=disk.resolution,
            used_percent_before=disk.used_percent_before,
            used_percent_after=disk.used_percent_after,
        )
        for disk in disks
    )


def _seconds(job: DoneJob) -> float:
    spans = [float(end - begin) for begin, end in job.exit.get("times") or []]
    return max(spans, default=0.0)

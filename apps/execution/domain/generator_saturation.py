"""Whether the load generator itself was the limit: its processes used all the processor time that
its threads can have, so that a faster disk would not have measured faster.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from apps.execution.attempt.participants import participants_of
from apps.execution.attempt.spec import procedure_of
from apps.results.selectors.jobs import DoneJob, Files
from apps.results.services.devices import log_name
from apps.runs.models import Attempt
from apps.tools.base import ParamsError
from apps.tools.devices.hoststat import LOG, HostSample, figures, read_log
from apps.tools.messages import message
from apps.tools.registry import tool

# Of the processor time that its threads can have; over fewer seconds nothing is said.
SATURATED = 0.95
SECONDS = 5


def saturation_warnings(attempt: Attempt, jobs: Sequence[DoneJob], files: Files) -> list[str]:
    """A sentence for each host whose generator was saturated."""
    said = []
    measuring = [job for job in jobs if not job.lends]
    for job in measuring:
        samples = read_log(files.get(job.prefix + log_name(job, list(jobs), LOG), b""))
        used, cores = used_cores(samples), max((len(one.cores) for one in samples), default=0)
        most = min(_threads(attempt, job) or cores, cores)
        if used is None or not most or used < SATURATED * most:
            continue
        host = job.name or job.host_name
        said.append(
            message(
                "the load generator was saturated: on %(host)s it used %(used)s of the %(most)d "
                "CPUs that it can use; the disk or network may be faster than these figures",
                host=host,
                used=f"{used:.2f}",
                most=most,
            )
        )
    return list(dict.fromkeys(said))


def used_cores(samples: Sequence[HostSample]) -> float | None:
    """CPUs that the generator kept busy, as the median of the seconds, so that its start and end do
    not count; None where nobody knows.
    """
    pairs = [figures(a, b).get(("host", "generator_cpu")) for a, b in pairwise(samples)]
    known = sorted(value for value in pairs if value is not None)
    return known[len(known) // 2] / 100 if len(known) >= SECONDS else None


def _threads(attempt: Attempt, job: DoneJob) -> int:
    """The threads of the test on this host, of a tool that says so; else 0."""
    room = tool(attempt.case.tool)
    here = [one for one in participants_of(attempt.case) if one.host == job.host]
    if not room.pins or not here or attempt.imported is not None:
        return 0
    try:
        return procedure_of(attempt.case, here[0]).threads
    except ParamsError:
        return 0

"""Generator saturation: the load generator used all CPU time that its threads can use.

A faster disk would then not have measured faster.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from apps.results.selectors.jobs import DoneJob, Files
from apps.results.services.devices import log_name
from apps.tools.devices.hoststat import LOG, HostSample, figures, read_log
from apps.tools.messages import message

# Share of the CPU time that the threads can use.
SATURATED = 0.95
# Shorter tests are not checked.
MIN_SECONDS = 5


def saturation_warnings(
    jobs: Sequence[DoneJob], files: Files, threads: Mapping[int, int]
) -> list[str]:
    """Return a warning for each host whose generator was saturated.

    `threads`: number of threads of the test by host id; 0 if the tool does not report it.
    """
    warnings = []
    measuring = [job for job in jobs if job.measures]
    for job in measuring:
        samples = read_log(files.get(job.prefix + log_name(job, list(jobs), LOG), b""))
        used, cores = used_cores(samples), max((len(one.cores) for one in samples), default=0)
        limit = min(threads.get(job.host, 0) or cores, cores)
        if used is None or not limit or used < SATURATED * limit:
            continue
        host = job.name or job.host_name
        warnings.append(
            message(
                "the load generator was saturated: on %(host)s it used %(used)s of the %(most)d "
                "CPUs that it can use; the disk or network may be faster than these figures",
                host=host,
                used=f"{used:.2f}",
                most=limit,
            )
        )
    return list(dict.fromkeys(warnings))


def used_cores(samples: Sequence[HostSample]) -> float | None:
    """Return the median number of CPUs that the generator used per second, or None if unknown.

    The median leaves out start and end.
    """
    pairs = [figures(a, b).get(("host", "generator_cpu")) for a, b in pairwise(samples)]
    known = sorted(value for value in pairs if value is not None)
    return known[len(known) // 2] / 100 if len(known) >= MIN_SECONDS else None

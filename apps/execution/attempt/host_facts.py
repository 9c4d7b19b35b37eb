"""Facts of the hosts of an attempt."""

from __future__ import annotations

from collections.abc import Sequence

from apps.execution.attempt.driven_job import DrivenJob
from apps.execution.attempt.shared import Shared
from apps.execution.attempt.writer import AttemptWriter
from apps.execution.runtime.hosts import facts_fresh
from apps.execution.runtime.tasks import gather_or_cancel
from apps.inventory.models import HostFacts
from apps.remote.errors import HostError


async def first_host_facts(
    jobs: Sequence[DrivenJob], writer: AttemptWriter, shared: Shared
) -> HostFacts | None:
    """Return the facts of the attempt's first host.

    Facts are collected once per host and run, after its first tool has ended, so that they neither
    delay the start nor disturb a measurement.
    """
    new = {job.host: job for job in jobs if job.host not in shared.facts}
    await gather_or_cancel(_collect_facts(job, writer, shared) for job in new.values())
    return shared.facts.get(writer.jobs[0].host_id)


async def _collect_facts(job: DrivenJob, writer: AttemptWriter, shared: Shared) -> None:
    while True:
        try:
            shared.facts[job.host] = await facts_fresh(job.client, job.host)
            return
        except HostError as error:
            if error.kind == "agent":
                raise
            await writer.mark_unresponsive(job.id, error)

"""Remove what ended attempts left on a host."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from apps.execution.runtime.database import run_until_available
from apps.execution.selectors.leftovers import leftovers
from apps.execution.services.attempt_jobs import leftover_cleared
from apps.remote.client import Client
from apps.remote.errors import AgentCommandError

log = logging.getLogger(__name__)


async def directories_cleared(client: Client, directories: Sequence[str]) -> bool:
    """Remove benchlab's files from directories of a host; return False if one failed.

    Raises:
        HostError: contact was lost.
    """
    done = True
    for directory in directories:
        try:
            await client.cleanup_directories(directory)
        except AgentCommandError as error:
            log.info("%s stays as it is for now: %s", directory, error)
            # A directory that is no longer allowed holds no files of tests either.
            done &= error.error == "refused"
    return done


async def jobs_forgotten(client: Client, host_id: int) -> bool:
    """Delete the jobs of ended attempts on a host; return False if one is left.

    Raises:
        HostError: contact was lost.
    """
    done = True
    for job in await run_until_available(leftovers, host_id):
        try:
            await client.delete_job(job)
        except AgentCommandError as error:
            # A job that the host does not know is deleted already.
            if error.error != "absent":
                log.info("job %s stays on its host for now: %s", job, error)
                done = False
                continue
        await run_until_available(leftover_cleared, job)
    return done

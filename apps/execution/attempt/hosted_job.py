"""Query, follow, end and collect one job on its host, through any loss of contact."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace

from apps.blobs.services.spool import CompressedFile, CompressedTooLarge, FileCompressor, SpoolFile
from apps.execution.attempt.live_metrics import LiveMetricsReader
from apps.execution.attempt.writer import AttemptWriter
from apps.execution.runtime.budget import BYTES_PER_TRANSFER, COLLECTING, SMALL_OUTPUT
from apps.execution.runtime.tasks import cancel_and_wait
from apps.execution.services.attempts import attempt_remark
from apps.remote.client import Client
from apps.remote.errors import HostError
from apps.remote.status import Status
from apps.tools.messages import error_message, message

log = logging.getLogger(__name__)

RENEW_EVERY = 5.0
# Consecutive polls that find an ended job before the stalled stream is abandoned.
MAX_ENDED_POLLS = 4
GRACE = 3.0
# Bytes of a job's files that are sent with its end.
INLINE_BYTES = 256 << 10


class HostJob:
    """One job by its id, on the host of `client`."""

    def __init__(self, name: str, client: Client, writer: AttemptWriter) -> None:
        self.name = name
        self.client = client
        self._writer = writer

    async def seen(self) -> Status:
        """Return the job's status; waits without limit for its host."""
        while True:
            try:
                return await self.client.status(self.name)
            except HostError as error:
                await self._writer.mark_unresponsive(self.name, error)

    async def until_ended(
        self, status: Status, watcher: LiveMetricsReader, cancelled: asyncio.Event
    ) -> Status:
        """Follow the job until its last process has exited, or end it if `cancelled` is set."""
        try:
            while not status.ended and status.state != "absent":
                try:
                    status = await self._follow_or_cancel(watcher, cancelled)
                except HostError as error:
                    await self._writer.mark_unresponsive(self.name, error)
            return status
        finally:
            watcher.close()

    async def end(self, *, carry: bool = False) -> Status:
        """Cancel the job, until its host confirms that it has ended.

        `carry`: its settings stay for the next attempt.
        """
        while True:
            try:
                status = await self._cancel(carry=carry)
            except HostError as error:
                await self._writer.mark_unresponsive(self.name, error)
                continue
            if status.ended or status.state == "absent":
                return status

    async def collect(self, status: Status, spool: SpoolFile) -> dict[str, CompressedFile]:
        """Return every file of the ended job, compressed into `spool`.

        Raises:
            HostError: of kind "agent": the host cannot send the files.
        """
        is_much = sum(file.size for file in status.files) > SMALL_OUTPUT
        while True:
            try:
                # Released on errors, so that an unresponsive host blocks no other.
                async with COLLECTING.taken_if(is_much, BYTES_PER_TRANSFER):
                    files = await self._packed(status, spool)
                # A job can end before any other answer under the confirmed key.
                await self._writer.mark_key_restored(self.name)
                return files
            except HostError as error:
                spool.clear()
                if error.kind == "agent":
                    raise
                await self._writer.mark_unresponsive(self.name, error)

    async def _packed(self, status: Status, spool: SpoolFile) -> dict[str, CompressedFile]:
        files = {file.name: FileCompressor(spool) for file in status.files}
        try:
            for name, data in status.file_contents.items():
                files[name].write(data)
            left = tuple(file for file in status.files if file.name not in status.file_contents)
            if left:
                await self.client.read_files(replace(status, files=left), files)
            return {name: file.finish() for name, file in files.items()}
        except CompressedTooLarge as error:
            raise HostError(
                "agent",
                message(
                    "A file of the test's output %(why)s: no more is stored.",
                    why=error_message(error),
                ),
            ) from error
        except OSError as error:  # the spool is full until other files are stored
            log.warning("job %s: its files do not fit here: %s", self.name, error)
            text = message(
                "benchlab cannot store the output of its test at the moment (%(why)s)",
                why=str(error),
            )
            raise HostError("busy", text) from error

    async def recover(self) -> None:
        """Restore the settings that a lost job applied."""
        try:
            await self.client.restore_settings([self.name])
        except HostError as error:
            log.warning("job %s: settings not given back yet: %s", self.name, error)

    async def forget(self) -> bool:
        """Delete the ended job on its host; return False if that failed for now."""
        try:
            await self.client.delete_job(self.name)
        except HostError as error:
            log.info("job %s stays on its host for now: %s", self.name, error)
            return False
        return True

    async def _follow_or_cancel(
        self, watcher: LiveMetricsReader, cancelled: asyncio.Event
    ) -> Status:
        # `waiting` returns at once at the end of the job; `following` polls its files.
        waiting = asyncio.create_task(self.client.wait(self.name, max_bytes=INLINE_BYTES))
        following = asyncio.create_task(self._follow(watcher))
        cancelling = asyncio.create_task(cancelled.wait())
        renewing = asyncio.create_task(self._renew())
        tasks = (waiting, following, cancelling, renewing)
        try:
            done, _ = await asyncio.wait(
                (waiting, cancelling, renewing), return_when=asyncio.FIRST_COMPLETED
            )
            if waiting in done:
                return waiting.result()
            return renewing.result() if renewing in done else await self._cancel()
        finally:
            await cancel_and_wait(tasks)

    async def _follow(self, watcher: LiveMetricsReader) -> None:
        """Publish live metrics from the growing files. Errors do not affect the result."""
        try:
            while await self._follow_some(watcher):
                pass
        except HostError as error:
            log.info("job %s is not shown live: %s", self.name, error)

    async def _follow_some(self, watcher: LiveMetricsReader) -> bool:
        """Read one batch of the files; return True if more may follow."""
        some = more = False
        async for piece in self.client.follow(self.name, watcher.offsets):
            if isinstance(piece, Status):
                more = some and piece.state == "running"
                continue
            some = True
            await watcher.feed(piece)
            for remark in watcher.remarks():
                await self._writer.write(attempt_remark, remark)
        return more

    async def _renew(self) -> Status:
        """Renew the lease of the job on its host, and store its phase.

        Returns only if the job has ended and the stalled stream did not report it in time.
        """
        ends = 0
        while True:
            try:
                status = await self.client.status(self.name, renew=True)
                ends = ends + 1 if status.ended or status.state == "absent" else 0
                if ends >= MAX_ENDED_POLLS:
                    return status
                await self._writer.mark_responsive(self.name, status.phase or "")
            except HostError as error:
                log.info("cannot renew job %s: %s", self.name, error)
            await asyncio.sleep(RENEW_EVERY)

    async def _cancel(self, *, carry: bool = False) -> Status:
        status = await self.client.cancel(self.name, grace=GRACE, carry=carry)
        if status.survivors:
            log.warning("job %s: %s will not end", self.name, status.survivors)
            await asyncio.sleep(1.0)
        return status

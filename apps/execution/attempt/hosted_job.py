"""One job of an attempt on its host, in the hands of one worker: asked, followed and ended through
any loss of contact.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace

from apps.blobs.services.spool import CompressedFile, CompressedTooLarge, FileCompressor, Spool
from apps.execution.attempt.live_metrics import LiveMetricsReader
from apps.execution.attempt.writer import AttemptWriter
from apps.execution.runtime.budget import COLLECTING, EACH_COLLECTS, LITTLE
from apps.execution.runtime.tasks import cancel_and_wait
from apps.execution.services.attempts import attempt_remark
from apps.remote.client import Client
from apps.remote.errors import HostError
from apps.remote.status import Status
from apps.tools.messages import error_message, message

log = logging.getLogger(__name__)

RENEW_EVERY = 5.0
# Looks in a row that find a job ended, before the stream that should have said so is given up.
SILENT_ENDS = 4
GRACE = 3.0
# Bytes of a job's files that come along with its end; each host may have so many in our hands.
BROUGHT = 256 << 10


class HostJob:
    """A job by its id, on the host that `client` talks to."""

    def __init__(self, name: str, client: Client, record: AttemptWriter) -> None:
        self.name = name
        self.client = client
        self._record = record

    async def seen(self) -> Status:
        """The job as its host knows it, however long that takes to be heard."""
        while True:
            try:
                return await self.client.status(self.name)
            except HostError as error:
                await self._record.silent(self.name, error)

    async def until_ended(
        self, status: Status, watcher: LiveMetricsReader, cancelled: asyncio.Event
    ) -> Status:
        """Follow the job until its last process is gone, or end it when `cancelled` is set."""
        try:
            while not status.ended and status.state != "absent":
                try:
                    status = await self._follow_or_cancel(watcher, cancelled)
                except HostError as error:
                    await self._record.silent(self.name, error)
            return status
        finally:
            watcher.close()

    async def end(self) -> Status:
        """Cancel the job and prove it, however long that takes."""
        while True:
            try:
                status = await self._cancel()
            except HostError as error:
                await self._record.silent(self.name, error)
                continue
            if status.ended or status.state == "absent":
                return status

    async def collect(self, status: Status, spool: Spool) -> dict[str, CompressedFile]:
        """Every file of the ended job, packed into a spool of its own. Raises HostError agent where
        they are not to be had.
        """
        is_much = sum(file.size for file in status.files) > LITTLE
        while True:
            try:
                # Given back while it does not answer: a silent host keeps nobody waiting.
                async with COLLECTING.taken_if(is_much, EACH_COLLECTS):
                    files = await self._packed(status, spool)
                # A job can end before anything else was read under the known key.
                await self._record.key_again(self.name)
                return files
            except HostError as error:
                spool.clear()
                if error.kind == "agent":
                    raise
                await self._record.silent(self.name, error)

    async def _packed(self, status: Status, spool: Spool) -> dict[str, CompressedFile]:
        files = {file.name: FileCompressor(spool) for file in status.files}
        try:
            for name, data in status.brought.items():
                files[name].write(data)
            left = tuple(file for file in status.files if file.name not in status.brought)
            if left:
                await self.client.read_files(replace(status, files=left), files)
            return {name: file.finish() for name, file in files.items()}
        except CompressedTooLarge as error:
            raise HostError(
                "agent",
                message(
                    "A file of the test's output %(why)s: no more is kept.",
                    why=error_message(error),
                ),
            ) from error
        except OSError as error:  # no room for now: others give theirs back when they are stored
            log.warning("job %s: its files do not fit here: %s", self.name, error)
            text = message(
                "benchlab has no room for the output of its test at the moment (%(why)s)",
                why=str(error),
            )
            raise HostError("busy", text) from error

    async def recover(self) -> None:
        """Have the settings given back that a lost job has on loan."""
        try:
            await self.client.recover([self.name])
        except HostError as error:
            log.warning("job %s: settings not given back yet: %s", self.name, error)

    async def forget(self) -> bool:
        """Let the host forget the ended job. If that fails now the agent keeps it; nothing is
        lost.
        """
        try:
            await self.client.forget(self.name)
        except HostError as error:
            log.info("job %s stays on its host for now: %s", self.name, error)
            return False
        return True

    async def _follow_or_cancel(
        self, watcher: LiveMetricsReader, cancelled: asyncio.Event
    ) -> Status:
        # The end is known from waiting, at once; following looks at the files every now and then.
        waiting = asyncio.create_task(self.client.wait(self.name, most=BROUGHT))
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
        """Show the page what the files say as they grow. Trouble here costs no result."""
        try:
            while await self._follow_some(watcher):
                pass
        except HostError as error:
            log.info("job %s is not shown live: %s", self.name, error)

    async def _follow_some(self, watcher: LiveMetricsReader) -> bool:
        """As much as is under way at once; whether there may be more."""
        some = more = False
        async for piece in self.client.follow(self.name, watcher.offsets):
            if isinstance(piece, Status):
                more = some and piece.state == "running"
                continue
            some = True
            await watcher.feed(piece)
            for remark in watcher.said():
                await self._record.write(attempt_remark, remark)
        return more

    async def _renew(self) -> Status:
        """Tell the host that we are there, and the page what the host is doing. Returns only when
        the job has ended and whoever waits for it has had time to say so and did not.
        """
        ends = 0
        while True:
            try:
                status = await self.client.status(self.name, renew=True)
                ends = ends + 1 if status.ended or status.state == "absent" else 0
                if ends >= SILENT_ENDS:
                    return status
                await self._record.heard(self.name, status.phase or "")
            except HostError as error:
                log.info("cannot renew job %s: %s", self.name, error)
            await asyncio.sleep(RENEW_EVERY)

    async def _cancel(self) -> Status:
        status = await self.client.cancel(self.name, grace=GRACE)
        if status.survivors:
            log.warning("job %s: %s will not end", self.name, status.survivors)
            await asyncio.sleep(1.0)
        return status

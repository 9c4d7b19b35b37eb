"""Cost of the smallest job over the warm session, beside `ssh host true`."""

from __future__ import annotations

from pathlib import Path

from benchlab.bench import fio_runs
from benchlab.bench.figures import Aim, figures
from benchlab.bench.jobs import directory, job_spec, require_success, warm_client
from benchlab.bench.rounds import interleave, timed
from benchlab.bench.row import BenchRow, Measured
from benchlab.bench.sshhost import ssh_host


async def measure(scratch: Path, rounds: int) -> Measured:
    """Rounds of launch and wait, and of a new stock connection. Both must end with exit code 0."""
    with ssh_host(scratch) as host:
        plain = host.ssh(["true"])
        place = directory(str(host.folder))
        async with warm_client(host.spec) as client:

            async def by_benchlab() -> None:
                spec = job_spec(["true"], place)
                await client.launch(spec)
                require_success(await client.wait(spec["attempt"], timeout=60.0))

            async def by_ssh() -> None:
                fio_runs.run(plain)

            await by_benchlab()
            await by_ssh()
            sides = {"ssh": lambda: timed(by_ssh), "agent": lambda: timed(by_benchlab)}
            raw = await interleave(sides, rounds)
        ours, peer = raw.values["agent"], raw.values["ssh"]
        notes = (f"Against {host.kind}; a launch is on disk (fsync) before it is answered.",)
        return Measured(figures(ours, peer), raw, "s", notes, {"ssh": plain})


ROW = BenchRow(
    "agent-call", "launch and wait of `true` over `ssh host true`", Aim(0.25), 30, measure
)

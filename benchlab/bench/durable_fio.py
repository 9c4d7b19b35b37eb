"""Cost of a 1 s fio over SSH that must survive us, beside a bare `ssh host fio`."""

from __future__ import annotations

from pathlib import Path

from apps.remote.agent.targets.places import FOLDER
from apps.tools.base import ToolTarget
from benchlab.bench import fio_runs
from benchlab.bench.figures import Aim, figures, minus
from benchlab.bench.jobs import directory, durable, job_spec, warm_client
from benchlab.bench.rounds import interleave, timed
from benchlab.bench.row import BenchRow, Measured, NotEqual
from benchlab.bench.sshhost import SshHost, ssh_host

# A thousand reads at a thousand a second: one second, the same work each time, and a CPU left over.
FIO = {
    "rw": "randread",
    "bs": 4096,
    "size": 1000 * 4096,
    "ioengine": "psync",
    "iodepth": 1,
    "direct": False,
    "invalidate": False,
    "rate_iops": 1000,
    "time_based": False,
    "runtime": 30,
}


async def measure(scratch: Path, rounds: int) -> Measured:
    """Rounds of a durable, a bare ssh and a local fio, then the ratio of the two overheads."""
    with ssh_host(scratch) as host:
        place = host.folder / "files"
        place.mkdir()
        return await _measure(host, str(place), rounds)


async def _measure(host: SshHost, place: str, rounds: int) -> Measured:
    argv = fio_runs.room_argv(FIO, ToolTarget("directory", place))
    local = fio_runs.to_stdout(argv, f"{place}/{FOLDER}")
    over_ssh = host.ssh(local)
    async with warm_client(host.spec) as client:

        async def by_benchlab() -> bytes:
            spec = job_spec(argv, directory(place), fio_runs.RESULT)
            return (await durable(client, spec))[fio_runs.RESULT]

        async def by_ssh() -> bytes:
            return fio_runs.run(over_ssh)

        async def here() -> bytes:
            return fio_runs.run(local)

        # benchlab first: the agent makes its own folder in the directory, with the test file.
        check_equal(await by_benchlab(), await by_ssh(), await here())
        raw = await interleave(
            {
                "local": lambda: timed(here),
                "ssh": lambda: timed(by_ssh),
                "durable": lambda: timed(by_benchlab),
            },
            rounds,
        )
    base = raw.values["local"]
    overhead, peer = minus(raw.values["durable"], base), minus(raw.values["ssh"], base)
    return Measured(
        figures(overhead, peer),
        raw,
        "s over local fio",
        (f"Against {host.kind}; ssh is the stock client with a new connection each time.",),
        {"argv": argv, "ssh": over_ssh},
    )


def check_equal(*results: bytes) -> None:
    """Raise NotEqual unless every result shows the same work by the same job."""
    first, *others = [(fio_runs.work_done(data), fio_runs.job_options(data)) for data in results]
    for other in others:
        if other != first:
            raise NotEqual(f"fio did not do the same work both ways: {first} and {other}")
    if any(error or not operations for operations, _, error in first[0]):
        raise NotEqual(f"fio failed or did nothing: {first[0]}")


ROW = BenchRow(
    "durable-fio",
    "durable 1 s fio over bare ssh fio, both minus a local fio",
    Aim(0.2),
    24,  # every order of the three sides four times
    measure,
)

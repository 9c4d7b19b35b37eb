"""bin/bench [ROW ...]: measure the rows asked for, or all of them."""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from apps.remote.errors import HostError
from benchlab.bench import (
    agent_call,
    archive_row,
    compare,
    durable_fio,
    engine,
    fio_log,
    history,
    import_folder,
    json_plus,
    lists,
    observer,
    people,
    report,
    stats,
)
from benchlab.bench.figures import LEAST_ROUNDS, reached
from benchlab.bench.row import BenchRow, CannotMeasure, Measured, NotEqual
from benchlab.standalone import apt
from benchlab.standalone.paths import home

ROWS: Mapping[str, BenchRow] = {
    row.name: row
    for row in (
        *(durable_fio.ROW, agent_call.ROW, engine.ROW, observer.ROW),
        *(
            json_plus.NORMAL,
            json_plus.BIG,
            json_plus.HUGE,
            fio_log.ROW,
            import_folder.ROW,
            people.ROW,
            archive_row.ROW,
            lists.ROW,
            compare.ROW,
            stats.ROW,
            history.ROW,
        ),
    )
}
# By program, the Debian package that brings it.
PROGRAMS = {
    "fio": "fio",
    "ssh": "openssh-client",
    "sshd": "openssh-server",
    "ip": "iproute2",
    "iptables": "iptables",
    "losetup": "mount",
}


def bench(arguments: Sequence[str]) -> int:
    """0 when every row was measured; 1 when one could not be, or with --strict missed its aim."""
    options = _options(arguments)
    if options.list:
        print("\n".join(f"{row.name:14} {row.title}" for row in ROWS.values()))
        return 0
    os.environ["PATH"] = f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/sbin"
    _install_needs()
    names = options.rows or list(ROWS)
    done = [_measured(ROWS[name], options.rounds, home().root / "bench") for name in names]
    results = [entry for entry in done if entry is not None]
    if results:
        print("\n" + report.table(results))
    missed = [row.name for row, measured in results if surely_missed(row, measured)]
    return 1 if len(results) < len(names) or (options.strict and missed) else 0


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser("bin/bench", description="Measure benchlab beside its peers.")
    parser.add_argument("rows", nargs="*", metavar="ROW", help=", ".join(ROWS))
    parser.add_argument("--rounds", type=int, help="rounds of each row (its own number if absent)")
    parser.add_argument("--strict", action="store_true", help="exit 1 when an aim is missed")
    parser.add_argument("--cases", type=int, help="size of the made-up archive")
    parser.add_argument("--keep", type=Path, help="keep the archive in this folder, or take it")
    parser.add_argument("--list", action="store_true", help="name the rows and end")
    options = parser.parse_args(arguments)
    if options.cases:
        archive_row.WANTED.cases = options.cases
    if options.keep:
        archive_row.WANTED.keep = options.keep.absolute()
    if unknown := [name for name in options.rows if name not in ROWS]:
        parser.error(f"no row is called {', '.join(unknown)}; there are {', '.join(ROWS)}")
    if options.rounds is not None and options.rounds < LEAST_ROUNDS:
        parser.error(f"an interval needs at least {LEAST_ROUNDS} rounds")
    return options


def surely_missed(row: BenchRow, measured: Measured) -> bool:
    """The whole interval is on the wrong side of the aim, on a machine that was calm enough."""
    return reached(measured.figures.effect, row.aim) == "no" and not measured.figures.noisy


def _install_needs() -> None:
    """As root, install what is missing of the machine's programs; rows that lack one say so."""
    missing = sorted({package for name, package in PROGRAMS.items() if not shutil.which(name)})
    if not missing or os.geteuid() != 0 or not apt.available():
        return
    try:
        apt.install(missing)
    except apt.AptError as error:
        print(f"{', '.join(missing)} could not be installed: {error}", file=sys.stderr)


def _measured(row: BenchRow, rounds: int | None, folder: Path) -> tuple[BenchRow, Measured] | None:
    """Measure one row in a scratch folder of its own and print it; None when that failed."""
    before = report.load()
    try:
        if not shutil.which("fio"):
            raise CannotMeasure("it needs fio.")
        # /var/tmp: the box hides root's home, and /tmp may be memory without direct I/O.
        with tempfile.TemporaryDirectory(prefix="benchlab-bench-", dir="/var/tmp") as scratch:
            Path(scratch).chmod(0o711)
            measured = asyncio.run(row.measure(Path(scratch), rounds or row.rounds))
    except (CannotMeasure, HostError, NotEqual) as error:
        word = "not equal" if isinstance(error, NotEqual) else "not measured"
        print(f"{row.name}: {word}: {error}", file=sys.stderr, flush=True)
        return None
    loads = (before, report.load())
    path = report.save(folder, row, measured, loads)
    print(report.row_text(row, measured, loads, path), flush=True)
    return row, measured

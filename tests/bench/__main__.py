"""`bin/bench [ROW ...]`: measure the named rows, or all of them."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import tempfile
from pathlib import Path

from apps.remote.errors import HostError
from benchlab.local.errors import StartError
from tests.bench.figure import CannotMeasure, Figure, Options, Row

ROWS = {
    "pages": "pages and lists of 100,000 cases, 95th percentile",
    "filters": "every documented filter of the API's lists in 100,000 cases",
    "growth": "pages at two sizes of one lab's archive, beside plain SQL, and what tables weigh",
    "people": "50 people with pauses in 1 M cases, 95th percentile",
    "comparison": "a comparison of two runs of thousands of cases, page and API",
    "charts": "the first chart in the browser, empty cache",
    "engine": "click to process, tool's end to result, on one host and on 50",
    "queue": "the forecast of 1,000 queued runs on 200 hosts",
    "import_folder": "2,000 fio files imported",
    "observer": "fio under benchlab over bare fio",
    "verdicts": "rates of false alarms and of differences found",
    "history": "rates of false alarms and of changes found",
}


def main() -> int:
    """0, or 1 when a limit was missed or a row could not be measured."""
    parser = argparse.ArgumentParser("bin/bench", description=__doc__)
    parser.add_argument("rows", nargs="*", metavar="ROW", help=", ".join(ROWS))
    parser.add_argument("--cases", type=int, help="size of the archive")
    parser.add_argument("--keep", type=Path, help="keep the archive in this folder, or use it")
    parser.add_argument("--list", action="store_true", help="name the rows")
    options = parser.parse_args()
    if options.list:
        print("\n".join(f"{name:14} {title}" for name, title in ROWS.items()))
        return 0
    if unknown := set(options.rows) - ROWS.keys():
        parser.error(f"unknown row: {', '.join(sorted(unknown))}")
    os.environ["PATH"] = f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/sbin"
    keep = options.keep and options.keep.absolute()
    good = [_measured(name, options.cases, keep) for name in options.rows or ROWS]
    return 0 if all(good) else 1


def _measured(name: str, cases: int | None, keep: Path | None) -> bool:
    """Print a row's figures; whether it has some and all are within their limits."""
    load = os.getloadavg()[0]
    print(f"{name}: {ROWS[name]} (load {load:.1f})", flush=True)
    row: Row = importlib.import_module(f"tests.bench.{name}").measure
    figures: list[Figure] = []
    # Not /tmp, which may be memory without direct I/O.
    with tempfile.TemporaryDirectory(prefix="benchlab-bench-", dir="/var/tmp") as scratch:
        Path(scratch).chmod(0o711)
        try:
            for figure in row(Options(Path(scratch), cases, keep)):
                figures.append(figure)
                print(f"  {figure}", flush=True)
        except (CannotMeasure, HostError, StartError) as error:
            print(f"  not measured: {error}", file=sys.stderr, flush=True)
            return False
    return bool(figures) and not any(figure.is_missed for figure in figures)


if __name__ == "__main__":
    sys.exit(main())

"""A measured row as text for people and as a document for later."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from benchlab.bench.figures import Figures, reached
from benchlab.bench.row import BenchRow, Measured

HEAD = ("row", "ratio", "95 % interval", "aim", "reached", "ours", "peer", "unit", "rounds", "")


def machine() -> dict[str, object]:
    """Facts of the machine that the figures were taken on."""
    return {
        "cpus": os.cpu_count(),
        "cpu": _cpu_model(),
        "kernel": platform.release(),
        "python": platform.python_version(),
        "fio": _version("fio", "--version"),
        "ssh": _version("ssh", "-V"),
    }


def _cpu_model() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.machine())


def _version(*argv: str) -> str | None:
    try:
        done = subprocess.run(argv, capture_output=True, text=True, check=False, timeout=10)
    except OSError:
        return None
    return (done.stdout or done.stderr).strip()


def load() -> list[float]:
    """The load averages over 1, 5 and 15 minutes."""
    return [round(value, 2) for value in os.getloadavg()]


def save(folder: Path, row: BenchRow, measured: Measured, loads: Sequence[list[float]]) -> Path:
    """Write the row's raw numbers and everything about the run; the file's path."""
    folder.mkdir(parents=True, exist_ok=True)
    now = datetime.now(UTC)
    path = folder / f"{now:%Y%m%dT%H%M%SZ}-{row.name}.json"
    content = {
        "row": row.name,
        "title": row.title,
        "aim": str(row.aim) if row.aim else None,
        "reached": reached(measured.figures.effect, row.aim),
        "ended": now.isoformat(),
        "unit": measured.unit,
        "figures": asdict(measured.figures),
        "rounds": measured.raw.values,
        "order": measured.raw.order,
        "load_average": {"before": loads[0], "after": loads[1]},
        "machine": machine(),
        "notes": measured.notes,
        "facts": measured.facts,
    }
    path.write_text(json.dumps(content, indent=1) + "\n")
    return path


def row_text(row: BenchRow, measured: Measured, loads: Sequence[list[float]], path: Path) -> str:
    """A row's own paragraph."""
    f = measured.figures
    lines = [
        f"{row.name}: {row.title}",
        f"  ratio {ratio(f)}, 95 % interval {interval(f)}, {f.rounds} rounds"
        f"{', noisy' if f.noisy else ''}; aim {row.aim or 'none'}: {reached(f.effect, row.aim)}",
        f"  ours  {f.ours:.4g} {measured.unit}, spread {f.spread_ours:.0%}",
        f"  peer  {f.peer:.4g} {measured.unit}, spread {f.spread_peer:.0%}",
        *(f"  {note}" for note in measured.notes),
        f"  load average {loads[0][0]:.2f} before, {loads[1][0]:.2f} after; raw numbers: {path}",
    ]
    return "\n".join(lines)


def ratio(f: Figures) -> str:
    """The ratio, "-" when it is not finite."""
    return "-" if f.effect.ratio is None else f"{f.effect.ratio:.3f}"


def interval(f: Figures) -> str:
    """Both ends, "none" with too few rounds."""
    ends = (f.effect.low, f.effect.high)
    if ends == (None, None):
        return "none"
    return " to ".join("?" if end is None else f"{end:.3f}" for end in ends)


def table(done: Sequence[tuple[BenchRow, Measured]]) -> str:
    """All rows under each other, columns aligned."""
    cells = [HEAD, *(_cells(row, measured) for row, measured in done)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    padded = ("  ".join(map(str.ljust, line, widths)).rstrip() for line in cells)
    return "\n".join(padded)


def _cells(row: BenchRow, measured: Measured) -> tuple[str, ...]:
    f = measured.figures
    return (
        row.name,
        ratio(f),
        interval(f),
        str(row.aim or "-"),
        reached(f.effect, row.aim),
        f"{f.ours:.4g}",
        f"{f.peer:.4g}",
        measured.unit,
        str(f.rounds),
        "noisy" if f.noisy else "",
    )

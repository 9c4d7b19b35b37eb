"""Hosts during a test: figures over time from the agent's host.log (docs: agent.md, "host.log")."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from apps.tools.base import Series

LOG = "host.log"
# Cores that have a series each; of more only the busiest.
MOST_CORES = 16
# Of /proc/stat: all states of a CPU but idle and waiting for a disk.
IDLE, WAITING = 3, 4
HOST = "host"
MICRO = 1e-6
MILLI = 1e-3


@dataclass(frozen=True)
class HostSample:
    """One line: `seconds` after the tool started. Cumulative counters, but for `cores` (percent
    busy since the line before), `used` bytes of memory and `degrees`.
    """

    seconds: float
    cpu: tuple[int, ...] = ()
    cores: tuple[int, ...] = ()
    switches: int | None = None
    interrupts: int | None = None
    used: int | None = None
    tool: float | None = None
    net: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    degrees: Mapping[str, int] = field(default_factory=dict)
    energy: Mapping[str, int] = field(default_factory=dict)


def read_log(data: bytes) -> list[HostSample]:
    """The samples of a host.log; a line that is none, or unfinished, is left out."""
    found = []
    for line in data.split(b"\n")[:-1]:
        try:
            found.append(_sample(json.loads(line)))
        except (ValueError, KeyError, TypeError, AttributeError, IndexError):
            continue
    return found


def _sample(entry: Mapping[str, object]) -> HostSample:
    told = entry["host"]
    if not isinstance(told, dict):
        raise TypeError(entry)
    net = {str(name): (int(both[0]), int(both[1])) for name, both in told.get("net", {}).items()}
    return HostSample(
        seconds=float(str(entry["t"])),
        cpu=tuple(int(n) for n in told.get("cpu") or ()),
        cores=tuple(int(n) for n in told.get("cores") or ()),
        switches=_whole(told.get("switches")),
        interrupts=_whole(told.get("interrupts")),
        used=_whole(told.get("used")),
        tool=None if told.get("tool") is None else float(told["tool"]),
        net=net,
        degrees=_numbers(told.get("degrees")),
        energy=_numbers(told.get("energy")),
    )


def _whole(value: object) -> int | None:
    return None if value is None else int(str(value))


def _numbers(told: object) -> dict[str, int]:
    rows = told.items() if isinstance(told, dict) else ()
    return {str(name): value for name, value in rows if isinstance(value, int)}


def figures(before: HostSample, after: HostSample) -> dict[tuple[str, str], float]:
    """Figures between two samples by subject and metric: percent, 1/s, bytes, bytes/s, degrees
    Celsius, watts. Of a counter that began anew there is none.
    """
    seconds = after.seconds - before.seconds
    if seconds <= 0:
        return {}
    found: dict[tuple[str, str], float | None] = {
        (HOST, "host_cpu"): _busy(before.cpu, after.cpu),
        (HOST, "generator_cpu"): _rate(before.tool, after.tool, seconds, 100),
        (HOST, "busiest_core"): max(after.cores, default=None),
        (HOST, "context_switches"): _rate(before.switches, after.switches, seconds),
        (HOST, "interrupts"): _rate(before.interrupts, after.interrupts, seconds),
        (HOST, "memory_used"): after.used,
    }
    if len(after.cores) <= MOST_CORES:
        found |= {(f"cpu{n}", "core_cpu"): busy for n, busy in enumerate(after.cores)}
    for card, (received, sent) in after.net.items():
        if then := before.net.get(card):
            found[card, "network_received"] = _rate(then[0], received, seconds)
            found[card, "network_sent"] = _rate(then[1], sent, seconds)
    found |= {(name, "temperature"): value * MILLI for name, value in after.degrees.items()}
    for name, energy in after.energy.items():
        found[name, "power"] = _rate(before.energy.get(name), energy, seconds, MICRO)
    return {key: float(value) for key, value in found.items() if value is not None}


def _busy(before: Sequence[int], after: Sequence[int]) -> float | None:
    """Percent of all CPUs' time that was spent on work."""
    spent = [b - a for a, b in zip(before, after, strict=False)]
    if len(spent) <= WAITING or sum(spent) <= 0:
        return None
    return 100 * (1 - (spent[IDLE] + spent[WAITING]) / sum(spent))


def _rate(
    before: float | None, after: float | None, seconds: float, times: float = 1
) -> float | None:
    if before is None or after is None or after < before:
        return None
    return (after - before) / seconds * times


def host_series(samples: Sequence[HostSample]) -> Iterator[tuple[str, Series]]:
    """(subject, series): the host as a whole, its cores, cards, sensors and packages."""
    points = _spaced(samples)
    if len(points) < 2:
        return
    rows = [figures(a, b) for a, b in pairwise(points)]
    start = points[0].seconds
    interval = (points[-1].seconds - start) / len(rows)
    for subject, metric in dict.fromkeys(key for row in rows for key in row):
        values = tuple(row.get((subject, metric)) for row in rows)
        yield subject, Series(metric, values, start, interval)


def _spaced(samples: Sequence[HostSample]) -> list[HostSample]:
    """Without the last one where it came right after another: an interval of its own would be noise
    of counters that are kept in hundredths of a second.
    """
    kept = list(samples)
    if len(kept) > 2 and kept[-1].seconds - kept[-2].seconds < 0.5:
        del kept[-2]
    return kept

"""Host statistics over time from the agent's host.log (docs/development/agent.md, "host.log")."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise

from apps.tools.devices.log_lines import (
    LEAST_SECONDS,
    MOST_NAMES,
    log_entries,
    number,
    short_name,
    whole,
)
from apps.tools.parse_result import Series

LOG = "host.log"
# Up to this number of cores each core has a series; above it only the busiest core.
MOST_CORES = 16
# Columns of /proc/stat that are not busy time: idle and iowait.
IDLE, WAITING = 3, 4
HOST = "host"
MICRO = 1e-6
MILLI = 1e-3


@dataclass(frozen=True)
class HostSample:
    """One line of the log, read `seconds` after the tool started.

    Cumulative counters, except `cores` (percent busy since the previous line), `used` bytes of
    memory and `degrees` (thousandths of a degree Celsius).
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
    """Return the samples of a host.log, without invalid and unfinished lines."""
    samples = []
    for entry in log_entries(data):
        try:
            samples.append(_sample(entry))
        except (ValueError, KeyError, TypeError, AttributeError, IndexError):
            continue
    return samples


def _sample(entry: Mapping[str, object]) -> HostSample:
    host = entry["host"]
    if not isinstance(host, dict):
        raise TypeError(entry)
    cards = host.get("net", {}).items()
    net = {short_name(name): (whole(both[0]), whole(both[1])) for name, both in cards}
    return HostSample(
        seconds=number(entry["t"]),
        cpu=tuple(map(whole, host.get("cpu") or ())),
        cores=tuple(map(whole, host.get("cores") or ())),
        switches=_whole(host.get("switches")),
        interrupts=_whole(host.get("interrupts")),
        used=_whole(host.get("used")),
        tool=None if host.get("tool") is None else number(host["tool"]),
        net=net,
        degrees=_numbers(host.get("degrees")),
        energy=_numbers(host.get("energy")),
    )


def _whole(value: object) -> int | None:
    return None if value is None else whole(value)


def _numbers(values: object) -> dict[str, int]:
    rows = values.items() if isinstance(values, dict) else ()
    return {short_name(name): whole(value) for name, value in rows if isinstance(value, int)}


def figures(before: HostSample, after: HostSample) -> dict[tuple[str, str], float]:
    """Return the figures between two samples by subject and metric.

    Units: percent, 1/s, bytes, bytes/s, degrees Celsius, watts. A counter that was reset has no
    figure.
    """
    seconds = after.seconds - before.seconds
    if seconds < LEAST_SECONDS:
        return {}
    rates: dict[tuple[str, str], float | None] = {
        (HOST, "host_cpu"): _busy(before.cpu, after.cpu),
        (HOST, "generator_cpu"): _rate(before.tool, after.tool, seconds, 100),
        (HOST, "busiest_core"): max(after.cores, default=None),
        (HOST, "context_switches"): _rate(before.switches, after.switches, seconds),
        (HOST, "interrupts"): _rate(before.interrupts, after.interrupts, seconds),
        (HOST, "memory_used"): after.used,
    }
    if len(after.cores) <= MOST_CORES:
        rates |= {(f"cpu{n}", "core_cpu"): busy for n, busy in enumerate(after.cores)}
    for card, (received, sent) in after.net.items():
        if then := before.net.get(card):
            rates[card, "network_received"] = _rate(then[0], received, seconds)
            rates[card, "network_sent"] = _rate(then[1], sent, seconds)
    rates |= {(name, "temperature"): value * MILLI for name, value in after.degrees.items()}
    for name, energy in after.energy.items():
        rates[name, "power"] = _rate(before.energy.get(name), energy, seconds, MICRO)
    return {key: float(value) for key, value in rates.items() if value is not None}


def _busy(before: Sequence[int], after: Sequence[int]) -> float | None:
    """Return the busy time of all CPUs in percent."""
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
    """Yield (subject, series) of the host, its cores, network cards, sensors and packages."""
    points = _spaced(samples)
    if len(points) < 2:
        return
    rows = [figures(a, b) for a, b in pairwise(points)]
    start = points[0].seconds
    interval = (points[-1].seconds - start) / len(rows)
    keys = dict.fromkeys(key for row in rows for key in row)
    for subject, metric in islice(keys, MOST_NAMES):
        values = tuple(row.get((subject, metric)) for row in rows)
        yield subject, Series(metric, values, start, interval)


def _spaced(samples: Sequence[HostSample]) -> list[HostSample]:
    """Return the samples without the second to last if the last follows it within 0.5 s.

    Counters have a resolution of 10 ms: such a short interval would show noise.
    """
    spaced = list(samples)
    if len(spaced) > 2 and spaced[-1].seconds - spaced[-2].seconds < 0.5:
        del spaced[-2]
    return spaced

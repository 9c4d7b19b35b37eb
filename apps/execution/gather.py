"""What the jobs of several hosts left, as one attempt's files and one exit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from apps.inventory.facts import cleaned
from apps.remote.answers import Status
from apps.runs.packing import Packed, Spool, joined
from apps.tools.base import JSON

# A command's words: those of all acts go into one file, in order.
STREAMS = ("stdout", "stderr")
TUNING = ("applied", "changed", "restored", "conflicts", "failed")


@dataclass(frozen=True)
class Brought:
    """One job as its host left it: its entry of `Attempt.jobs`, its last status, its files."""

    entry: JSON
    status: Status
    files: Mapping[str, Packed]

    @property
    def exit(self) -> JSON:
        """What its exit.json says; empty where there is none."""
        return cast(JSON, self.status.exit or {})


def gathered_files(brought: Sequence[Brought], spool: Spool) -> dict[str, Packed]:
    """Every file, byte for byte, as "<host>/<file>". A later act's file of a name that is taken has
    its act before its name. What is joined waits in `spool`.
    """
    files: dict[str, Packed] = {}
    words: dict[str, list[Packed]] = {}
    for job in brought:
        host, act = job.entry["name"], job.entry["act"]
        for name, content in sorted(job.files.items()):
            place = f"{host}/{name}"
            if name in STREAMS:
                words.setdefault(place, []).append(content)
            else:
                files[place if place not in files else f"{host}/act{act}.{name}"] = content
    for place, parts in words.items():
        files[place] = parts[0] if len(parts) == 1 else joined(parts, spool)
    return files


def gathered_exit(brought: Sequence[Brought], known: JSON) -> JSON:
    """One exit for all: every command's code, every job with its own exit, and when each host
    started. `known` is what the attempt's exit said before (clocks, why it was stopped).
    """
    exits = [job.exit for job in brought]
    starts, uncertainty = _starts(brought, known.get("clocks") or {})
    exit_: JSON = {
        "codes": [code for each in exits for code in each.get("codes") or ()],
        "signals": [signal for each in exits for signal in each.get("signals") or ()],
        "jobs": _jobs(brought),
        "starts": starts | ({"uncertainty": uncertainty} if starts else {}),
        "tuning": _tuning(brought),
    }
    told: JSON = cleaned(known | exit_)
    return told


def moments(brought: Sequence[Brought], name: str) -> list[float]:
    """Each job's "started" or "ended" by its host's own clock, seconds since 1970."""
    said = [(job.exit.get(name) or {}).get("realtime") for job in brought]
    return [float(moment) for moment in said if moment is not None]


def argv_of(brought: Sequence[Brought]) -> list[Any]:
    """Every command that was to be run, in order."""
    return [words for job in brought for words in job.status.argv or ()]


def _jobs(brought: Sequence[Brought]) -> list[JSON]:
    told, ends = [], dict[tuple[str, str], int]()
    for job in brought:
        entry = {key: job.entry[key] for key in ("job", "host", "name", "role", "act")}
        places = {}
        for stream in STREAMS:
            key = (job.entry["name"], stream)
            begin = ends.get(key, 0)
            own = job.files.get(stream)
            ends[key] = begin + (own.size if own else 0)
            places[stream] = [begin, ends[key]]
        status = job.status
        rest = {"state": status.state, "exit": job.exit, "refused": status.refused}
        rest["why"] = status.why
        told.append(entry | rest | {"places": places})
    return told


def _starts(brought: Sequence[Brought], clocks: JSON) -> tuple[JSON, JSON]:
    """Seconds each host started after the first one, by the measured clocks: the most in any act
    that several hosts played together.
    """
    starts: dict[str, float] = {}
    uncertainty: dict[str, float] = {}
    for act, offsets in clocks.items():
        own = [job for job in brought if str(job.entry["act"]) == act and not _listens(job)]
        found = {job.entry["name"]: _start(job, offsets) for job in own}
        moments = {name: moment for name, moment in found.items() if moment is not None}
        if len(moments) < 2:
            continue
        first = min(moments.values())
        for name, moment in moments.items():
            starts[name] = max(starts.get(name, 0.0), moment - first)
        for job in own:
            uncertainty[job.entry["name"]] = offsets[str(job.entry["host"])][1]
    return dict(starts), dict(uncertainty)


def _start(job: Brought, offsets: JSON) -> float | None:
    """When what it measured started, on the clock of the worker that compared the clocks: of
    several commands that is the longest one.
    """
    host, times = str(job.entry["host"]), job.exit.get("times") or []
    moment = (job.exit.get("started") or {}).get("monotonic")
    if times:
        moment = max(times, key=lambda span: float(span[1] - span[0]))[0]
    return None if moment is None or host not in offsets else float(moment) - offsets[host][0]


def _listens(job: Brought) -> bool:
    return any(command["listens"] for command in job.entry["spec"]["commands"])


def _tuning(brought: Sequence[Brought]) -> JSON:
    """Every host's settings in one table, each with its host."""
    total: dict[str, list[Any]] = {name: [] for name in TUNING}
    for job in brought:
        tuning: JSON = job.exit.get("tuning") or {}
        for name in TUNING:
            for setting in tuning.get(name) or ():
                row = setting if isinstance(setting, dict) else {"name": str(setting)}
                total[name].append({"host": job.entry["name"]} | row)
    return total

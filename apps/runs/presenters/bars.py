"""Progress bars of runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _lazy

from apps.runs.selectors.progress import RunProgress

SEGMENTS = {
    "measured": _lazy("%(number)s measured"),
    "ended": _lazy("%(number)s ended"),
    "failed": _lazy("%(number)s failed"),
    "lost": _lazy("%(number)s lost"),
    "unconfirmed": _lazy("%(number)s abandoned (unconfirmed)"),
    "cancelled": _lazy("%(number)s cancelled"),
    "skipped": _lazy("%(number)s skipped"),
    "open": _lazy("%(number)s to come"),
}


@dataclass(frozen=True)
class Segment:
    """Segment of a bar and its share of the whole, in percent."""

    name: str
    percent: float


@dataclass(frozen=True)
class ProgressBar:
    """Bar with its segments, a text, and the share of completed cases in percent."""

    segments: tuple[Segment, ...]
    words: str
    percent: float


def bar_of(numbers: Mapping[str, int], total: int) -> ProgressBar:
    """Return a bar of case counts by segment (the keys of SEGMENTS); the rest is open."""
    counts = {**numbers, "open": max(0, total - sum(numbers.values()))}
    words = ", ".join(str(SEGMENTS[name]) % {"number": n} for name, n in counts.items() if n)
    shown = [Segment(name, 100.0 * n / max(total, 1)) for name, n in numbers.items() if n]
    needed = max(total - numbers.get("skipped", 0), 1)
    tried = sum(n for name, n in numbers.items() if name not in ("cancelled", "skipped"))
    return ProgressBar(tuple(shown), words, 100.0 * tried / needed)


def progress_bar(progress: RunProgress) -> ProgressBar:
    """Return the progress of a run as a bar."""
    numbers = {
        "measured": progress.succeeded,
        "failed": progress.failed,
        "lost": progress.lost,
        "unconfirmed": progress.unconfirmed,
        "cancelled": progress.cancelled,
        "skipped": progress.skipped,
    }
    return bar_of(numbers, progress.total)

"""Power and errors of verdicts, on made-up pages with a known truth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from apps.plans.domain.blocks import block_sizes
from tests.bench.figure import Figure, Options
from tests.statistics.until import Deciding, decide
from tests.statistics.verdicts import (
    DRIFTS,
    NOISE,
    Extended,
    SimulatedPage,
    advised,
    contradictions,
    coverage,
    found,
    wrong,
    wrong_at_any_look,
)

FOUND = 0.95
PAGES = 400
WORKLOADS = (1, 4, 24)
EFFECT, DRIFT = 1.05, 1.2
SEED = 1


def measure(_options: Options) -> Iterator[Figure]:
    page = SimulatedPage(24, repeats=advised(24), effect=EFFECT, drift=DRIFT)
    share = found(page, PAGES, SEED).share
    yield Figure(
        "differences of 5 % found at the advised repeats", share, FOUND, unit="", at_least=True
    )
    print("\n".join(f"  {line}" for line in notes(PAGES)))


def notes(pages: int) -> Iterator[str]:
    """Rates of so many pages of five metrics, each with its binomial standard error."""
    yield f"noise 2 %, differences of 5 %, {pages} pages each, seed {SEED}"
    for workloads in WORKLOADS:
        yield from _found(
            SimulatedPage(workloads, repeats=advised(workloads), effect=EFFECT), pages
        )
    for workloads in (4, 24):
        page = SimulatedPage(workloads, repeats=advised(workloads))
        for noise in NOISE:
            for drift in (1.0, DRIFT):
                rate = wrong(replace(page, noise=noise, drift=drift), pages, SEED)
                yield f"{_head(page)}, equal, {noise}, drift {drift - 1:.0%}: wrong {rate}"
    for workloads in (1, 4):
        looked = Extended(SimulatedPage(workloads, repeats=6, drift=DRIFT))
        rate = wrong_at_any_look(looked, pages, SEED)
        yield f"{_head(looked.page)}, equal, 6 more three times, four looks: wrong {rate}"
    yield from _until_decided(pages)
    page = SimulatedPage(4, repeats=advised(4), effect=1.03, drift=DRIFT)
    yield f"{_head(page)}, 3 %: {contradictions(page, pages, SEED)} contradictions"


def _until_decided(pages: int) -> Iterator[str]:
    """Equal and unequal pages whose blocks are added until every interval is within 3 %, beside the
    blocks that a plan of the advised repeats has.
    """
    for workloads in (1, 4):
        page = SimulatedPage(workloads, repeats=6, drift=DRIFT)
        fixed = len(block_sizes(advised(workloads), workloads, 2))
        head = f"{workloads} workloads until decided, within 3 %, at most 20 blocks"
        for noise in ("normal", "heavy tails", "two modes"):
            equal = decide(Deciding(replace(page, noise=noise)), pages, SEED)
            yield (
                f"{head}, equal, {noise}: wrong {equal.wrong} at any look, "
                f"{equal.blocks:.1f} blocks, at the limit {equal.stopped}"
            )
        other = decide(Deciding(replace(page, effect=EFFECT)), pages, SEED)
        yield (
            f"{head}, all differ by 5 %: found {other.found}, {other.blocks:.1f} blocks "
            f"of {max(block_sizes(6, workloads, 2))} (the advised plan has {fixed} of "
            f"{max(block_sizes(advised(workloads), workloads, 2))})"
        )


def _found(page: SimulatedPage, pages: int) -> Iterator[str]:
    for changed in dict.fromkeys((page.workloads, 1)):
        for course in (None, *DRIFTS):
            here = replace(
                page, changed=changed, course=course or "line", drift=DRIFT if course else 1.0
            )
            # One workload a page: more pages for the same error.
            number = pages if changed == 1 else max(20, pages // changed * 4)
            words = f"20 % drift, {course}" if course else "no drift"
            yield (
                f"{_head(page)}, {changed} differ, {words}: found {found(here, number, SEED)}, "
                f"interval holds the truth {coverage(here, number, SEED)}"
            )


def _head(page: SimulatedPage) -> str:
    return f"{page.workloads} workloads, {page.repeats} repeats"

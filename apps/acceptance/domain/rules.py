"""Rules of an acceptance: findings of each disk, and the verdict. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

from apps.acceptance.domain.steps import STANDARD_FOUR
from apps.acceptance.schemas import (
    FAILED,
    PASSED,
    UNKNOWN,
    AcceptanceProfile,
    Finding,
    Outcome,
    Reading,
)
from apps.stats.outliers import outliers
from apps.tools.messages import as_message

IDENTITY, FIRMWARE, LINK, SMART, HOURS = "identity", "firmware", "link", "smart", "hours"
FILL, FILL_RATE, VERIFY = "fill", "fill_rate", "verify"
TESTS, MODEL, SIBLINGS = "tests", "model", "siblings"
MEDIA, TEMPERATURE = "media_errors", "temperature"
RULES = (
    *(IDENTITY, FIRMWARE, LINK, SMART, HOURS, FILL, VERIFY, FILL_RATE),
    *(TESTS, MODEL, SIBLINGS, MEDIA, TEMPERATURE),
)
# Without these a disk is not accepted, whatever else was measured.
DECIDING = (IDENTITY, FILL, VERIFY, TESTS)
# As many the outlier rule needs (apps.stats.outliers).
MIN_SIBLINGS = 6
NO_READING = Reading()
ACCEPTED, REJECTED, UNCLEAR = "accepted", "rejected", "unclear"


@dataclass(frozen=True)
class ModelFigures:
    """What the maker states; operations/s and bytes/s, None: not in the catalogue."""

    randwrite: float | None = None
    randread: float | None = None
    write: float | None = None
    read: float | None = None
    slowest_fill: float | None = None

    def of(self, test: str) -> float | None:
        value: float | None = getattr(self, test)
        return value


@dataclass(frozen=True)
class DiskEvidence:
    """All that an acceptance learned of a disk.

    `sibling_group`: disks with the same are compared. `bus_group`: disks that were filled beside
    each other on one bus; fills of other buses have another share of it. `present`: the host
    reports it, under its identity. `fill_done`: written and read back to the end; `corruption`: the
    tool's complaint. `fill_problem`: why there is no fill. `figures`: each repeat of each test,
    operations/s of random tests and bytes/s of sequential ones. `problems`: of tests without a
    result.
    """

    disk: int
    sibling_group: str
    present: bool = True
    before: Reading = NO_READING
    after: Reading = NO_READING
    fill_done: bool = False
    fill_rate: float | None = None
    corruption: str = ""
    fill_problem: str = ""
    figures: Mapping[str, Sequence[float]] = field(default_factory=dict)
    problems: Mapping[str, str] = field(default_factory=dict)
    model: ModelFigures | None = None
    bus_group: str = ""


def findings_of(
    disks: Sequence[DiskEvidence], profile: AcceptanceProfile
) -> dict[int, list[Finding]]:
    """Return the findings of each disk, in the order of RULES."""
    usual, links = _usual_firmware(disks), _fastest_links(disks)
    siblings = _sibling_findings(disks, profile)
    result = {}
    for disk in disks:
        group = disk.sibling_group
        rows = [
            *_fact_findings(disk, usual[group], links.get(group), profile),
            *_fill_findings(disk),
            *_test_findings(disk, profile),
            *siblings[disk.disk],
            *_after_findings(disk, profile),
        ]
        result[disk.disk] = sorted(rows, key=lambda row: RULES.index(row.rule))
    return result


def verdict_of(findings: Sequence[Finding]) -> str:
    """Return the verdict: one failed rule rejects; an undecided essential one leaves it unclear."""
    if any(row.outcome == FAILED for row in findings):
        return REJECTED
    undecided = {row.rule for row in findings if row.outcome == UNKNOWN}
    decided = {row.rule for row in findings if row.outcome == PASSED}
    if any(rule in undecided or rule not in decided for rule in DECIDING):
        return UNCLEAR
    return ACCEPTED


def failed_first(findings: Sequence[Finding]) -> Finding | None:
    """Return the finding that a summary names: corruption before all, then in the rules' order."""
    failed = [row for row in findings if row.outcome == FAILED]
    return next((row for row in failed if row.rule == VERIFY), failed[0] if failed else None)


def _fastest_links(disks: Sequence[DiskEvidence]) -> dict[str, int]:
    """Return the fastest link of each group of several disks: the limit of SAS disks."""
    rates: dict[str, list[int]] = defaultdict(list)
    for disk in disks:
        if disk.before.link_rate:
            rates[disk.sibling_group].append(disk.before.link_rate)
    return {group: max(row) for group, row in rates.items() if len(row) > 1}


def _usual_firmware(disks: Sequence[DiskEvidence]) -> dict[str, str]:
    """Return the most frequent firmware of each group; empty if two are as frequent."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for disk in disks:
        counts[disk.sibling_group][disk.before.firmware] += 1
    result = {}
    for group, counter in counts.items():
        ranked = counter.most_common(2)
        is_tied = len(ranked) > 1 and ranked[0][1] == ranked[1][1]
        result[group] = "" if is_tied else ranked[0][0]
    return result


def _fact_findings(
    disk: DiskEvidence, usual_firmware: str, sibling_link: int | None, profile: AcceptanceProfile
) -> Iterator[Finding]:
    before = disk.before
    yield Finding(IDENTITY, PASSED if disk.present else FAILED)
    if not before.firmware or not usual_firmware:
        yield Finding(FIRMWARE, UNKNOWN, detail=as_message(before.firmware))
    else:
        same = before.firmware == usual_firmware
        yield Finding(FIRMWARE, _outcome(same), before.firmware, detail=as_message(usual_firmware))
    if profile.full_link:
        maximum = before.link_max_rate or sibling_link
        yield _limit(LINK, before.link_rate, maximum, detail=before.link_unit)
    smart = disk.after.smart_passed if disk.after.smart_passed is not None else before.smart_passed
    yield Finding(SMART, UNKNOWN if smart is None else _outcome(smart))
    yield _limit(HOURS, before.hours, profile.max_hours, is_upper=True)


def _fill_findings(disk: DiskEvidence) -> Iterator[Finding]:
    if disk.corruption:
        yield Finding(FILL, PASSED)
        yield Finding(VERIFY, FAILED, detail=as_message(disk.corruption))
    elif disk.fill_done:
        yield Finding(FILL, PASSED)
        yield Finding(VERIFY, PASSED)
    else:
        yield Finding(FILL, UNKNOWN, detail=as_message(disk.fill_problem))
        yield Finding(VERIFY, UNKNOWN, detail=as_message(disk.fill_problem))
    slowest = disk.model.slowest_fill if disk.model else None
    yield _limit(FILL_RATE, disk.fill_rate, slowest)


def _test_findings(disk: DiskEvidence, profile: AcceptanceProfile) -> Iterator[Finding]:
    for test in STANDARD_FOUR:
        values = disk.figures.get(test) or ()
        problem = disk.problems.get(test, "")
        complete = len(values) >= profile.repeats
        yield Finding(
            TESTS,
            PASSED if complete else UNKNOWN,
            test,
            len(values),
            profile.repeats,
            as_message(problem),
        )
        stated = disk.model.of(test) if disk.model else None
        limit = None if stated is None else stated * (1 - profile.model_percent / 100)
        yield _limit(MODEL, median(values) if values else None, limit, subject=test)


def _sibling_findings(
    disks: Sequence[DiskEvidence], profile: AcceptanceProfile
) -> dict[int, list[Finding]]:
    """Return for each disk and figure whether it is a slow outlier among its siblings."""
    result: dict[int, list[Finding]] = {disk.disk: [] for disk in disks}
    for test in (*STANDARD_FOUR, FILL):
        groups: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for disk in disks:
            value = _figure(disk, test)
            if value:
                bus = f" {disk.bus_group}" if test == FILL else ""
                groups[disk.sibling_group + bus].append((disk.disk, value))
        rows = list(groups.values())
        flags = outliers([[value for _disk, value in group] for group in rows])
        for group, flagged in zip(rows, flags, strict=True):
            for finding, pk in _compared(group, flagged, test, profile):
                result[pk].append(finding)
    return result


def _compared(
    group: Sequence[tuple[int, float]],
    flagged: Sequence[bool],
    test: str,
    profile: AcceptanceProfile,
) -> Iterator[tuple[Finding, int]]:
    """Yield the finding of each disk of a group. A fast outlier is no fault."""
    usual = median(value for _pk, value in group)
    limit = usual * (1 - profile.outlier_percent / 100)
    for (pk, value), is_outlier in zip(group, flagged, strict=True):
        outcome: Outcome = FAILED if is_outlier and value < limit else PASSED
        if len(group) < MIN_SIBLINGS:
            outcome = UNKNOWN
        yield Finding(SIBLINGS, outcome, test, value, limit), pk


def _figure(disk: DiskEvidence, test: str) -> float | None:
    if test == FILL:
        return disk.fill_rate
    values = disk.figures.get(test) or ()
    return median(values) if values else None


def _after_findings(disk: DiskEvidence, profile: AcceptanceProfile) -> Iterator[Finding]:
    before, after = disk.before.media_errors, disk.after.media_errors
    yield _limit(MEDIA, after, before, is_upper=True)
    yield _limit(TEMPERATURE, disk.after.degrees, profile.max_degrees, is_upper=True)


def _limit(
    rule: str,
    value: float | None,
    limit: float | None,
    *,
    is_upper: bool = False,
    subject: str = "",
    detail: str = "",
) -> Finding:
    """Return whether a value is at least, or at most, a limit; unknown without one of them."""
    if value is None or limit is None:
        return Finding(rule, UNKNOWN, subject, value, limit, as_message(detail))
    passed = value <= limit if is_upper else value >= limit
    return Finding(rule, _outcome(passed), subject, value, limit, as_message(detail))


def _outcome(passed: bool) -> Outcome:
    return PASSED if passed else FAILED

"""Rules and verdicts of an acceptance, on evidence made by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec import structs

from apps.acceptance.domain import rules
from apps.acceptance.domain.rules import DiskEvidence, ModelFigures, findings_of, verdict_of
from apps.acceptance.domain.verify_errors import complaints_by_identity
from apps.acceptance.schemas import AcceptanceProfile, Finding, Reading

PROFILE = AcceptanceProfile(repeats=1)
READING = Reading(
    firmware="A1", hours=3, media_errors=0, degrees=35, smart_passed=True, link_rate=4,
    link_max_rate=4, link_unit="T/s",
)  # fmt: skip
FIGURES = {"randwrite": [1000.0], "randread": [2000.0], "write": [5e8], "read": [6e8]}
DISK = DiskEvidence(
    1, "model 1", before=READING, after=READING, fill_done=True, fill_rate=5e8, figures=FIGURES
)


def lot(*changed: DiskEvidence) -> list[DiskEvidence]:
    """Eight sound disks that differ by thousandths, the last ones replaced."""
    sound = [
        replace(
            DISK,
            disk=pk,
            fill_rate=5e8 * (1 + pk / 1000),
            figures={
                test: [value * (1 + pk / 1000) for value in row] for test, row in FIGURES.items()
            },
        )
        for pk in range(1, 9)
    ]
    first = len(sound) - len(changed)
    return [*sound[:first], *(replace(one, disk=first + n) for n, one in enumerate(changed, 1))]


def failed(disks: list[DiskEvidence], profile: AcceptanceProfile = PROFILE) -> dict[int, list[str]]:
    """Return the failed rules by disk."""
    rows = findings_of(disks, profile)
    result = {
        pk: [row.rule for row in each if row.outcome == "failed"] for pk, each in rows.items()
    }
    return {pk: names for pk, names in result.items() if names}


def test_equal_disks_are_accepted() -> None:
    rows = findings_of(lot(), PROFILE)
    assert {verdict_of(each) for each in rows.values()} == {rules.ACCEPTED}


def test_a_link_without_maximum_is_compared_with_its_siblings() -> None:
    fast = structs.replace(READING, link_max_rate=None)
    disks = [replace(one, before=fast) for one in lot()]
    assert failed(disks) == {}
    disks[3] = replace(disks[3], before=structs.replace(fast, link_rate=2))
    assert failed(disks) == {disks[3].disk: [rules.LINK]}


@pytest.mark.parametrize(
    ("changed", "rule"),
    [
        (replace(DISK, corruption="crc32c: verify failed"), rules.VERIFY),
        (replace(DISK, figures=FIGURES | {"read": [3e8]}), rules.SIBLINGS),
        (replace(DISK, fill_rate=1e8), rules.SIBLINGS),
        (replace(DISK, present=False), rules.IDENTITY),
        (replace(DISK, before=Reading(firmware="A0")), rules.FIRMWARE),
        (replace(DISK, before=Reading(link_rate=2, link_max_rate=4)), rules.LINK),
        (replace(DISK, before=Reading(hours=9000)), rules.HOURS),
        (replace(DISK, after=Reading(smart_passed=False)), rules.SMART),
        (replace(DISK, after=Reading(media_errors=2)), rules.MEDIA),
        (replace(DISK, after=Reading(degrees=81)), rules.TEMPERATURE),
        (replace(DISK, model=ModelFigures(randread=2300)), rules.MODEL),
        (replace(DISK, model=ModelFigures(slowest_fill=6e8)), rules.FILL_RATE),
    ],
)
def test_a_fault_rejects_its_disk_only(changed: DiskEvidence, rule: str) -> None:
    disks = lot(changed)
    assert failed(disks) == {8: [rule]}
    assert verdict_of(findings_of(disks, PROFILE)[8]) == rules.REJECTED


def test_fills_of_another_bus_are_not_compared() -> None:
    assert failed(lot(replace(DISK, fill_rate=1e8, bus_group="1 0000:3a:00.0"))) == {}


def test_a_fast_disk_is_no_fault() -> None:
    assert failed(lot(replace(DISK, figures=FIGURES | {"read": [9e8]}))) == {}


def test_a_small_distance_is_no_fault() -> None:
    assert failed(lot(replace(DISK, figures=FIGURES | {"read": [5.6e8]}))) == {}


def test_two_slow_disks_are_both_named() -> None:
    slow = replace(DISK, figures=FIGURES | {"randread": [900.0]})
    assert failed(lot(slow, slow)) == {7: [rules.SIBLINGS], 8: [rules.SIBLINGS]}


def test_few_siblings_decide_nothing_but_do_not_reject() -> None:
    disks = lot(replace(DISK, figures=FIGURES | {"read": [3e8]}))[4:]
    assert failed(disks) == {}


def test_disks_of_another_model_are_no_siblings() -> None:
    assert (
        failed(lot(replace(DISK, sibling_group="other", figures=FIGURES | {"read": [1.0]}))) == {}
    )


@pytest.mark.parametrize(
    "changed",
    [
        replace(DISK, fill_done=False, fill_rate=None, fill_problem="host is away"),
        replace(DISK, figures={"randread": [2000.0]}),
    ],
)
def test_what_was_not_measured_is_never_accepted(changed: DiskEvidence) -> None:
    assert verdict_of(findings_of(lot(changed), PROFILE)[8]) == rules.UNCLEAR


def test_no_finding_is_never_accepted() -> None:
    assert verdict_of([]) == rules.UNCLEAR


def test_what_a_disk_does_not_report_is_unknown() -> None:
    rows = findings_of([replace(DISK, before=Reading(), after=Reading())], PROFILE)[1]
    unknown = {row.rule for row in rows if row.outcome == "unknown"}
    assert {rules.FIRMWARE, rules.LINK, rules.SMART, rules.HOURS, rules.MEDIA} <= unknown


def test_a_summary_names_corruption_first() -> None:
    rows = [Finding(rules.LINK, "failed"), Finding(rules.VERIFY, "failed")]
    first = rules.failed_first(rows)
    assert first is not None
    assert first.rule == rules.VERIFY


# Output of fio 3.33 on files, with the names of nodes in their stead.
STDERR = b"""crc32c: verify failed at file /dev/loop7 offset 0, length 131072 (requested)
       Expected CRC: c7bf8c8b
       Received CRC: c0549620
verify: bad magic header 0, wanted acca at file /dev/loop5 offset 4096, length 4096 (requested)
fio: pid=12812, err=84/file:io_u.c:2290, func=io_u_queued_complete, error=Illegal byte sequence
"""


def test_complaints_name_their_disk() -> None:
    nodes = {"/dev/loop5": "loop:five", "/dev/loop6": "loop:six", "/dev/loop7": "loop:seven"}
    texts = complaints_by_identity(STDERR, nodes)
    assert set(texts) == {"loop:five", "loop:seven"}
    assert texts["loop:seven"].startswith("crc32c: verify failed")


def test_a_complaint_about_another_node_has_no_disk() -> None:
    assert list(complaints_by_identity(STDERR, {"/dev/sda": "x"})) == [""]
    assert complaints_by_identity(b"\xff\xfe at file", {}) == {}

"""Findings, verdicts and the summary of an acceptance as text."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from apps.acceptance.domain import rules
from apps.acceptance.domain.rules import failed_first
from apps.acceptance.domain.steps import STANDARD_FOUR
from apps.acceptance.models import Acceptance, AcceptedDisk
from apps.acceptance.schemas import FAILED, PASSED, Finding
from apps.common.api.columnar import safe
from apps.common.domain.messages import localize_message
from apps.common.domain.value_format import format_value

RULE_LABELS: dict[str, str | Promise] = {
    rules.IDENTITY: lazy("Identity"),
    rules.FIRMWARE: lazy("Firmware as its siblings"),
    rules.LINK: lazy("Link speed as rated"),
    rules.SMART: lazy("SMART verdict"),
    rules.HOURS: lazy("Power-on hours"),
    rules.FILL: lazy("Fill"),
    rules.VERIFY: lazy("Verification of the fill"),
    rules.FILL_RATE: lazy("Fill rate of the model"),
    rules.TESTS: lazy("Tests done"),
    rules.MODEL: lazy("Figures of the model"),
    rules.SIBLINGS: lazy("Figures of its siblings"),
    rules.MEDIA: lazy("Media errors unchanged"),
    rules.TEMPERATURE: lazy("Temperature"),
}
TEST_LABELS: dict[str, str | Promise] = {
    "randwrite": lazy("random write"),
    "randread": lazy("random read"),
    "write": lazy("write in sequence"),
    "read": lazy("read in sequence"),
    rules.FILL: lazy("fill"),
}
SHORT_FAULTS: dict[str, str | Promise] = {
    rules.IDENTITY: lazy("is not there"),
    rules.FIRMWARE: lazy("other firmware"),
    rules.LINK: lazy("link below its rate"),
    rules.SMART: lazy("SMART failed"),
    rules.HOURS: lazy("was used before"),
    rules.VERIFY: lazy("verify failed"),
    rules.FILL_RATE: lazy("slow"),
    rules.MODEL: lazy("slow"),
    rules.SIBLINGS: lazy("slow"),
    rules.MEDIA: lazy("media errors"),
    rules.TEMPERATURE: lazy("too hot"),
}
_RATED = (rules.MODEL, rules.SIBLINGS, rules.FILL_RATE)
_UNITS = {rules.HOURS: "h", rules.TEMPERATURE: "°C"}


@dataclass(frozen=True)
class FindingRow:
    """A finding for tables: rule with its test, outcome, value and limit as text."""

    rule: str
    outcome: str
    value: str
    limit: str
    detail: str

    @property
    def outcome_label(self) -> str:
        labels: dict[str, str] = {PASSED: _("passed"), FAILED: _("failed")}
        return labels.get(self.outcome, _("not known"))


def finding_rows(findings: Sequence[Finding]) -> list[FindingRow]:
    """Return the findings of a disk as rows."""
    return [_row(finding) for finding in findings]


def _row(finding: Finding) -> FindingRow:
    label = str(RULE_LABELS.get(finding.rule, finding.rule))
    detail = localize_message(finding.detail)
    if finding.rule == rules.FIRMWARE:
        values: tuple[str, str] = (finding.subject, finding.detail)
        return FindingRow(label, finding.outcome, *values, "")
    if finding.rule == rules.LINK:
        unit: str = finding.detail
        values = (_number(finding.value, unit), _number(finding.limit, unit))
        return FindingRow(label, finding.outcome, *values, "")
    if finding.subject:
        label = f"{label}: {TEST_LABELS.get(finding.subject, finding.subject)}"
    unit = _unit(finding)
    return FindingRow(
        label, finding.outcome, _number(finding.value, unit), _number(finding.limit, unit), detail
    )


def _unit(finding: Finding) -> str:
    if finding.rule in _RATED:
        return "1/s" if finding.subject.startswith("rand") else "B/s"
    return _UNITS.get(finding.rule, "")


def _number(value: float | None, unit: str) -> str:
    if value is None:
        return ""
    if unit in ("B/s", "1/s"):
        return format_value(value, unit)
    if unit in ("bit/s", "T/s"):
        return f"{value / 1e9:.1f} G{unit}"
    return f"{value:,.0f} {unit}".strip()


@dataclass(frozen=True)
class DiskRow:
    """A disk in the table of an acceptance."""

    row: AcceptedDisk
    fault: str
    failed: tuple[FindingRow, ...]


def disk_rows(rows: Sequence[AcceptedDisk]) -> list[DiskRow]:
    """Return the disks with their faults and failed findings."""
    return [
        DiskRow(
            row,
            fault_text(row),
            tuple(finding_rows([one for one in row.findings if one.outcome == FAILED])),
        )
        for row in rows
    ]


def fault_text(row: AcceptedDisk) -> str:
    """Return why a disk is not accepted, in a few words; empty if it is."""
    if row.verdict == AcceptedDisk.Verdict.REJECTED:
        finding = failed_first(row.findings)
        return str(SHORT_FAULTS.get(finding.rule, RULE_LABELS[finding.rule])) if finding else ""
    if row.verdict == AcceptedDisk.Verdict.UNCLEAR:
        return _("not measured completely")
    return ""


def summary_text(rows: Sequence[AcceptedDisk]) -> str:
    """Return "6 of 8 accepted; 2: slot 7 verify failed, slot 3 slow"."""
    accepted = sum(row.verdict == AcceptedDisk.Verdict.ACCEPTED for row in rows)
    text = _("%(accepted)d of %(all)d accepted") % {"accepted": accepted, "all": len(rows)}
    others = [row for row in rows if row.verdict != AcceptedDisk.Verdict.ACCEPTED]
    if not others:
        return text
    faults = ", ".join(f"{row.label} {fault_text(row)}".strip() for row in others)
    return f"{text}; {len(others)}: {faults}"


def outcome_text(acceptance: Acceptance, rows: Sequence[AcceptedDisk]) -> str:
    """Return the summary of an ended acceptance, what a cancelled one left, or an empty text."""
    if acceptance.state == Acceptance.State.ENDED:
        return summary_text(rows)
    if acceptance.state != Acceptance.State.CANCELLED:
        return ""
    if acceptance.measure_run_id:
        return _("Cancelled during the tests: no disk has a verdict.")
    return _("Cancelled during the fill: no disk has a verdict.")


COLUMNS = ("host", "label", "model", "serial", "firmware", "identity", "verdict", "reason")


def lot_csv(rows: Sequence[AcceptedDisk]) -> str:
    """Return the lot as CSV: a line for each disk, with the medians of the standard four."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*COLUMNS, *(f"{test}_{_column_unit(test)}" for test in _TESTS)])
    for row in rows:
        disk = row.disk
        values = [
            *(disk.host.name, row.label, disk.model_name, disk.serial, row.before.firmware),
            *(disk.identity, row.verdict, fault_text(row)),
        ]
        figures = [_figure(row, test) for test in _TESTS]
        writer.writerow([*map(safe, values), *figures])
    return text.getvalue()


_TESTS = ("fill", *STANDARD_FOUR)


def _column_unit(test: str) -> str:
    return "iops" if test.startswith("rand") else "bytes_per_s"


def _figure(row: AcceptedDisk, test: str) -> str:
    for finding in row.findings:
        if finding.rule == rules.SIBLINGS and finding.subject == test:
            return "" if finding.value is None else f"{finding.value:.0f}"
    return ""


def sheet_data(row: AcceptedDisk) -> dict[str, object]:
    """Return the sheet of a disk for its JSON file."""
    disk = row.disk
    return {
        "acceptance": {"id": row.acceptance_id, "name": row.acceptance.name},
        "disk": {
            "id": disk.pk, "host": disk.host.name, "label": row.label, "identity": disk.identity,
            "model": disk.model_name, "serial": disk.serial, "size": disk.size,
        },
        "verdict": row.verdict,
        "before": _plain(row.before),
        "after": _plain(row.after),
        "findings": [_plain(finding) for finding in row.findings],
    }  # fmt: skip


def _plain(row: msgspec.Struct) -> dict[str, object]:
    """Return the fields of a struct; messages as text in the reader's language."""
    values = msgspec.structs.asdict(row).items()
    return {k: localize_message(v) if isinstance(v, str) else v for k, v in values}

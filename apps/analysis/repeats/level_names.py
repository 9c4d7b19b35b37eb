"""Names of tunings and targets of result summaries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Literal, TypedDict

from django.utils.translation import gettext as _

from apps.analysis.repeats.repeats import settings_text
from apps.inventory.models import Host
from apps.runs.models import RunTarget, RunTuning
from apps.tuning.domain.baseline import tuning_label


class SummaryRow(TypedDict):
    """Result summary as histories read it; `value` of the requested metric."""

    pk: int
    case_id: int
    run_id: int
    measured_at: datetime
    has_measured_time: bool
    operation: str
    host_id: int | None
    target_id: int | None
    run_target_id: int
    run_tuning_id: int
    settings_hash: int | None
    facts_id: int | None
    tool_version: str
    value: float


TuningKey = tuple[Literal["hash"], int] | tuple[Literal["imported"], int]


TargetKey = tuple[Literal["target", "imported"], int]


def tuning_key(row: SummaryRow) -> TuningKey:
    """Return the key of the effective tuning; for an import that of its given name."""
    if row["settings_hash"] is None:
        return ("imported", row["run_tuning_id"])
    return ("hash", row["settings_hash"])


def tuning_names(rows: Sequence[SummaryRow]) -> dict[TuningKey, str]:
    """Return a tuning's newest name, with its settings if the name is not unique."""
    newest = {tuning_key(row): row["run_tuning_id"] for row in reversed(rows)}
    result = RunTuning.objects.in_bulk(newest.values())
    tunings = {key: result[pk] for key, pk in newest.items()}
    names = {key: tuning_label(tuning.name) or _("no name") for key, tuning in tunings.items()}
    texts = {key: settings_text(tuning.settings) for key, tuning in tunings.items()}
    name_counts = Counter(name for name, _text in {(names[key], texts[key]) for key in names})
    return {
        key: f"{name} ({texts[key]})" if name_counts[name] > 1 and texts[key] else name
        for key, name in names.items()
    }


def target_key(row: SummaryRow) -> TargetKey:
    """Return the key of the target; for an import that of its host and name."""
    if row["target_id"] is None:
        return ("imported", row["run_target_id"])
    return ("target", row["target_id"])


def target_names(rows: Sequence[SummaryRow]) -> dict[TargetKey, str]:
    """Return a target's newest name; for an import with its host."""
    newest = {target_key(row): (row["run_target_id"], row["host_id"]) for row in reversed(rows)}
    names = dict(
        RunTarget.objects.filter(pk__in={pk for pk, _host in newest.values()})
        .order_by()
        .values_list("pk", "name")
    )
    hosts = _host_names({host for key, (_pk, host) in newest.items() if key[0] == "imported"})
    return {
        key: " ".join(
            filter(None, (hosts.get(host or 0, "") if key[0] == "imported" else "", names[pk]))
        )
        for key, (pk, host) in newest.items()
    }


def _host_names(hosts: Iterable[int | None]) -> dict[int, str]:
    return dict(Host.objects.filter(pk__in=[pk for pk in hosts if pk]).values_list("pk", "name"))

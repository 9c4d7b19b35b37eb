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


class FigureRow(TypedDict):
    """A figure as histories read it; `value` of the metric that is asked for."""

    pk: int
    case_id: int
    run_id: int
    at: datetime
    timed: bool
    operation: str
    host_id: int | None
    target_id: int | None
    run_target_id: int
    run_tuning_id: int
    settings_hash: int | None
    facts_id: int | None
    tool_version: str
    value: float


TuningKey = tuple[Literal["hash"], int] | tuple[Literal["told"], int]


TargetKey = tuple[Literal["target", "told"], int]


def tuning_key(row: FigureRow) -> TuningKey:
    """The key of the tuning in force; of an import, which does not say it, the given name."""
    if row["settings_hash"] is None:
        return ("told", row["run_tuning_id"])
    return ("hash", row["settings_hash"])


def tuning_names(rows: Sequence[FigureRow]) -> dict[TuningKey, str]:
    """A tuning's newest name; with its settings where others are called the same."""
    newest = {tuning_key(row): row["run_tuning_id"] for row in reversed(rows)}
    found = RunTuning.objects.in_bulk(newest.values())
    told = {key: found[pk] for key, pk in newest.items()}
    names = {key: tuning.name or _("no name") for key, tuning in told.items()}
    texts = {key: settings_text(tuning.settings) for key, tuning in told.items()}
    alike = Counter(name for name, _text in {(names[key], texts[key]) for key in names})
    return {
        key: f"{name} ({texts[key]})" if alike[name] > 1 and texts[key] else name
        for key, name in names.items()
    }


def target_key(row: FigureRow) -> TargetKey:
    """The key of the target; of an import the host and its words."""
    if row["target_id"] is None:
        return ("told", row["run_target_id"])
    return ("target", row["target_id"])


def target_names(rows: Sequence[FigureRow]) -> dict[TargetKey, str]:
    """A target's newest name; of an import with its host before it."""
    newest = {target_key(row): (row["run_target_id"], row["host_id"]) for row in reversed(rows)}
    names = dict(
        RunTarget.objects.filter(pk__in={pk for pk, _host in newest.values()})
        .order_by()
        .values_list("pk", "name")
    )
    hosts = _host_names({host for key, (_pk, host) in newest.items() if key[0] == "told"})
    return {
        key: " ".join(
            filter(None, (hosts.get(host or 0, "") if key[0] == "told" else "", names[pk]))
        )
        for key, (pk, host) in newest.items()
    }


def _host_names(hosts: Iterable[int | None]) -> dict[int, str]:
    return dict(Host.objects.filter(pk__in=[pk for pk in hosts if pk]).values_list("pk", "name"))

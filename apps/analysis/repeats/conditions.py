"""Conditions of repeats, from the rows that they share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _

from apps.analysis.repeats.preparations import preconditioning_texts
from apps.analysis.repeats.repeats import (
    NOT_REPORTED,
    UNKNOWN,
    Conditions,
    properties_of,
    settings_text,
    with_settings,
)
from apps.analysis.repeats.target_names import TargetName, target_names
from apps.inventory.models import HostFacts
from apps.inventory.schemas.host_facts import Raw
from apps.runs.models import RunTuning
from apps.tuning.schemas.settings import OSD_SECTION, restarted_kinds

READS = frozenset({"read", "seq", "rand", "mixed"})
"""Operations that caches of OSDs serve."""


@dataclass(frozen=True)
class SharedConditions:
    """Keys of the rows that a group of repeats shares."""

    run: int
    run_target: int
    run_tuning: int
    facts: int | None
    tool_version: str
    parser_version: int
    imported: bool
    operation: str


@dataclass(frozen=True)
class SharedTuning:
    """Tuning of a run: settings as text.

    `restarts`: OSDs are restarted before the first and after the last of its tests in a row.
    """

    name: str
    settings: str
    restarts: bool


def conditions_of(groups: Iterable[SharedConditions]) -> list[Conditions]:
    """Return the conditions of each group; equal conditions are one object. Six queries."""
    groups = list(groups)
    targets = target_names({group.run_target for group in groups})
    tunings = _tunings({group.run_tuning for group in groups})
    facts = _facts({group.facts for group in groups} - {None})
    states = preconditioning_texts({group.run_target for group in groups})
    unique: dict[tuple[object, ...], Conditions] = {}
    result = []
    for group in groups:
        target, tuning = targets[group.run_target], tunings[group.run_tuning]
        cold = tuning.restarts and group.operation in READS
        key = (
            *(target, tuning, group.tool_version, group.parser_version, group.facts),
            *(group.imported, cold, states.get(group.run_target, "")),
        )
        if key not in unique:
            facts_of_host = facts.get(group.facts, {}) if group.facts else {}
            state = states.get(group.run_target, "")
            unique[key] = _conditions(group, target, tuning, facts_of_host, state, cold=cold)
        result.append(unique[key])
    return result


def _facts(ids: Iterable[int | None]) -> dict[int, Raw]:
    rows = HostFacts.objects.filter(pk__in=list(ids)).order_by()
    return dict(rows.values_list("pk", "facts"))


def _tunings(ids: Iterable[int]) -> dict[int, SharedTuning]:
    """Return these tunings of runs."""
    rows = RunTuning.objects.filter(pk__in=list(ids)).order_by()
    facts_of_host = rows.values_list("pk", "name", "settings")
    return {
        pk: SharedTuning(name, settings_text(settings), OSD_SECTION in restarted_kinds(settings))
        for pk, name, settings in facts_of_host
    }


def _conditions(
    group: SharedConditions,
    target: TargetName,
    tuning: SharedTuning,
    facts_of_host: Raw,
    preconditioning: str,
    *,
    cold: bool,
) -> Conditions:
    name, settings = tuning.name, tuning.settings
    short_name, label = _target_text(target, group.imported)
    path = target.today if target.today.startswith("/") and target.disk is None else ""
    properties = properties_of(facts_of_host, target.identity, path) | {
        "host": target.host_name,
        "target": label,
        "tuning": with_settings(name, settings),
        "tool": group.tool_version or UNKNOWN,
        "parser": str(group.parser_version),
        "caches": _("as the tests since the restart of the OSDs left them")
        if cold
        else _("as the test before left them"),
        "preconditioning": preconditioning,
    }
    if group.imported:
        properties = {k: NOT_REPORTED if v == UNKNOWN else v for k, v in properties.items()}
    return Conditions(
        host=target.host,
        host_name=target.host_name,
        disk=target.disk,
        target=short_name,
        tuning_name=name,
        tuning_text=settings,
        properties=properties,
        imported=group.imported,
    )


def _target_text(target: TargetName, imported: bool) -> tuple[str, str]:
    """Return the short and the full name of a target."""
    host = target.host_name
    if target.today:
        return target.today, f"{host}: {target.today}"
    if imported:
        return target.name, f"{host}: {target.name}" if target.name else NOT_REPORTED
    return target.name, target.name or f"{host}: "

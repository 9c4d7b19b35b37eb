"""Known configuration of a run, a test, a host or host facts, in named parts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from apps.inventory.domain.facts import stable_part
from apps.inventory.models import Host, HostFacts
from apps.plans.schemas.plan import PLAN_SPEC
from apps.runs.models import Attempt, Case, Run, RunTuning

PARTS = ("facts", "settings", "versions", "plan")
"""Parts of a snapshot; each has a table."""
IDENTITY = ("id", "seed")
"""Members of a plan's copy that always differ and change no measurement."""
Part = Mapping[str, object]


@dataclass(frozen=True)
class ConfigSnapshot:
    """Configuration by PARTS; a part is None if unknown, as the settings of an imported result.

    Values may be nested.
    """

    name: str
    parts: Mapping[str, Part | None]
    case: int | None = None


def snapshot_of_run(run: Run, cases: QuerySet[Any] | None = None) -> ConfigSnapshot:
    """Return a run's hosts as last seen, tunings, versions and launched plan.

    `cases`: those that hosts and versions are taken from; None for all.
    """
    attempts = Attempt.objects.filter(case__run=run).order_by("created_at")
    attempts = attempts if cases is None else attempts.filter(case__in=cases)
    settings = None if run.is_imported else _tunings(run)
    return ConfigSnapshot(str(run), _snapshot_parts(attempts, settings, _plan(run)))


def _tunings(run: Run) -> Part:
    settings: dict[str, object] = {}
    for tuning in run.tunings.all():
        name = str(tuning) or _("no name")
        own = _settings(tuning)
        settings |= {f"{name}: {key}": value for key, value in own.items()}
        settings |= {} if own else {f"{name}:": _("nothing is set")}
    return settings


def snapshot_of_case(case: Case) -> ConfigSnapshot:
    """Return a test's host at its time, effective settings, workload and plan."""
    attempts = Attempt.objects.filter(case=case).order_by("created_at")
    test = {
        "workload": dict(case.workload.params),
        "target": case.run_target.name,
        "block": case.block,
        "repeat": case.repeat,
    }
    settings = None if case.run.is_imported else _settings(case.run_tuning)
    name = f"#{case.pk} {case.run_tuning}".strip()
    return ConfigSnapshot(
        name, _snapshot_parts(attempts, settings, test | _plan(case.run)), case.pk
    )


def snapshot_of_host(host: Host) -> ConfigSnapshot:
    """Return a host as of its last check."""
    return ConfigSnapshot(host.name, {"facts": _facts([host.facts] if host.facts else [])})


def snapshot_at(facts: HostFacts) -> ConfigSnapshot:
    """Return a host as of these facts."""
    return ConfigSnapshot(str(facts), {"facts": _facts([facts])})


def _snapshot_parts(
    attempts: QuerySet[Attempt], settings: Part | None, plan: Part
) -> dict[str, Part | None]:
    rows = list(attempts.values_list("facts_id", "case__workload__tool", "tool_version"))
    facts = HostFacts.objects.select_related("host").in_bulk({key for key, _t, _v in rows if key})
    newest = {facts[key].host_id: facts[key] for key, _tool, _version in rows if key}
    versions: dict[str, set[str]] = {}
    for _facts_key, tool, version in rows:
        versions.setdefault(tool, set()).add(version)
    versions_by_tool = {
        tool: ", ".join(sorted(filter(None, own))) for tool, own in versions.items()
    }
    return {
        "facts": _facts(newest.values()),
        "settings": settings,
        "versions": versions_by_tool,
        "plan": plan,
    }


def _facts(result: Iterable[HostFacts]) -> Part:
    """Return the facts of a single host without its name, so that hosts compare; else by name."""
    rows = sorted(result, key=lambda one: one.host.name)
    if len(rows) == 1:
        return {"host": rows[0].host.name, **_reported(rows[0])}
    return {one.host.name: _reported(one) for one in rows}


def _reported(result: HostFacts) -> dict[str, object]:
    """Return the facts without SSH keys, which identify the host and change no measurement."""
    return {key: value for key, value in stable_part(result.facts).items() if key != "ssh_keys"}


def _settings(tuning: RunTuning) -> dict[str, object]:
    result: dict[str, object] = {}
    if tuning.settle_seconds:
        result["settle"] = tuning.settle_seconds
    for one in tuning.settings:
        parts = filter(None, (one.scope, one.kind, one.section, one.name))
        result[" ".join(parts)] = str(one.value)
    return result


def _plan(run: Run) -> dict[str, object]:
    """Return the plan as named parts; empty for an imported run."""
    if run.is_imported:
        return {}
    targets = list(run.targets.order_by("position").values_list("name", flat=True))
    return {"targets": targets, **_plain(PLAN_SPEC.plain(run.spec))}


def _plain(value: object) -> dict[str, object]:
    """Return the value without identities at any depth."""
    result = value if isinstance(value, dict) else {}
    return {str(name): _plain_value(each) for name, each in result.items() if name not in IDENTITY}


def _plain_value(value: object) -> object:
    if isinstance(value, dict):
        return _plain(value)
    if isinstance(value, list):
        return [_plain_value(each) for each in value]
    return value

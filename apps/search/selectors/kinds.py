"""Kinds of searchable rows, each with its searched columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from apps.inventory.models import Directory, Disk, Host, Pool, TargetGroup
from apps.plans.models import TestPlan, Workload
from apps.plans.selectors.workload_names import workload_names
from apps.runs.models import Case, Run
from apps.tuning.domain.baseline import description_label
from apps.tuning.models import TuningProfile

Words = str | Promise


def _as_called(rows: Sequence[Any]) -> Mapping[int, str]:
    return {row.pk: str(row) for row in rows}


@dataclass(frozen=True)
class ResultKind:
    """Kind of search result."""

    key: str
    label: Words
    icon: str


@dataclass(frozen=True)
class SearchKind(ResultKind):
    """Searchable kind of row.

    `names`: short columns, also matched by trigram similarity; `texts`: prose, also matched by word
    stems; `tags`: column of tags; `paired`: columns with an index of character pairs. `about`: the
    line below the name; `address`: URL of the row's page. `shown`: display names of listed rows, by
    primary key. A kind without `names` is found by its number only.
    """

    rows: Callable[[], QuerySet[Any]]
    names: tuple[str, ...]
    address: Callable[[Any], str]
    about: Callable[[Any], str]
    texts: tuple[str, ...] = ()
    tags: str = ""
    paired: tuple[str, ...] = ()
    shown: Callable[[Sequence[Any]], Mapping[int, str]] = _as_called


def _page(name: str) -> Callable[[Any], str]:
    return lambda row: reverse(name, args=[row.pk])


def _listed(name: str) -> Callable[[Any], str]:
    """Return the URL of a list filtered by name, for rows without a page."""
    return lambda row: f"{reverse(name)}?{urlencode({'name': row.name})}"


def _joined(*parts: object) -> str:
    return " · ".join(str(part) for part in parts if part)


def _runs() -> QuerySet[Run]:
    return Run.objects.select_related("owner").order_by("-pk")


def _cases() -> QuerySet[Case]:
    return Case.objects.select_related(
        "run", "workload", "run_tuning", "requested_tuning"
    ).order_by("-pk")


def _disks() -> QuerySet[Disk]:
    return Disk.objects.select_related("host", "model").order_by("host__name", "device_path", "pk")


_KINDS = (
    SearchKind(
        "runs", _("Runs"), "play", _runs, ("name",), _page("run_detail"),
        lambda run: _joined(f"#{run.pk}", run.owner, *run.tags, run.note), texts=("note",),
        tags="tags", paired=("name", "note"),
    ),
    SearchKind(
        "cases", _("Cases"), "chart", _cases, (), _page("case_detail"),
        lambda case: _joined(f"#{case.pk}", case.run),
    ),
    SearchKind(
        "plans", _("Plans"), "list", lambda: TestPlan.objects.order_by("name"), ("name",),
        _page("plan_detail"), lambda plan: plan.description, texts=("description",),
    ),
    SearchKind(
        "hosts", _("Hosts"), "server", lambda: Host.objects.order_by("name"), ("name", "address"),
        _page("host_detail"), lambda host: _joined(host.address, *host.tags), tags="tags",
    ),
    SearchKind(
        "disks", _("Disks"), "disk", _disks,
        ("serial", "model__name", "identity", "device_path", "host__name"),
        _page("disk_detail"), lambda disk: _joined(disk.model_name, disk.serial, *disk.tags),
        tags="tags",
    ),
    SearchKind(
        "directories", _("Directories"), "folder",
        lambda: Directory.objects.select_related("host").order_by("host__name", "path"),
        ("path", "host__name"), lambda row: reverse("host_detail", args=[row.host_id]),
        lambda row: "",
    ),
    SearchKind(
        "pools", _("Pools"), "network",
        lambda: Pool.objects.select_related("host").order_by("name", "pk"), ("name",),
        _listed("pool_list"), lambda pool: pool.host.name,
    ),
    SearchKind(
        "groups", _("Groups"), "disk", lambda: TargetGroup.objects.order_by("name"), ("name",),
        _listed("group_list"), lambda group: "",
    ),
    SearchKind(
        "tunings", _("Tunings"), "sliders", lambda: TuningProfile.objects.order_by("name"),
        ("name",), _page("tuning_detail"), lambda tuning: description_label(tuning.description),
        texts=("description",),
    ),
    SearchKind(
        "workloads", _("Workloads"), "chart", lambda: Workload.objects.order_by("-pk"), ("label",),
        lambda row: f"{reverse('history')}?{urlencode({'workload': row.key})}",
        lambda workload: workload.tool, shown=workload_names,
    ),
)  # fmt: skip
KINDS: Mapping[str, SearchKind] = {kind.key: kind for kind in _KINDS}
METRIC_KIND = ResultKind("metrics", _("Metrics"), "chart")
RESULT_KINDS: Mapping[str, ResultKind] = {**KINDS, METRIC_KIND.key: METRIC_KIND}

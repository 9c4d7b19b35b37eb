"""Members of run targets by the names of components in outputs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from uuid import UUID

from django.db.models import Model, Q

from apps.results.models import Measurement
from apps.runs.models import Attempt, RunTargetMember

Named = Mapping[str, int]
"""Members' keys by the texts that name one of them."""


def members_named(attempts: Iterable[Attempt]) -> dict[UUID, Named]:
    """Return the member ids by name for each attempt, with one query; none for imports."""
    link = "run_target__cases__attempts"
    rows = RunTargetMember.objects.filter(**{f"{link}__in": list(attempts)}).exclude(kind="")
    result: dict[UUID, list[tuple[int, str, str]]] = {}
    for attempt, *member in rows.values_list(link, "pk", "label", "host_name").order_by():
        result.setdefault(attempt, []).append(tuple(member))
    return {attempt: named(members) for attempt, members in result.items()}


def named(members: Iterable[tuple[int, str, str]]) -> Named:
    """Return member ids by label, and by host name for the only member of a host.

    Ambiguous names are left out.
    """
    rows = list(members)
    hosts = Counter(host for _key, _label, host in rows)
    labels = Counter(label for _key, label, _host in rows)
    alone = {host: key for key, _label, host in rows if hosts[host] == 1 and host not in labels}
    return alone | {label: key for key, label, _host in rows if labels[label] == 1}


def own_results(row: Model) -> Q:
    """Return the filter of a target's own results: whole, or as a member of a group."""
    target = getattr(row, "target_id", None)
    if target is None:
        return Q(pk__in=[])
    alone = Measurement.objects.filter(component="", case__run_target__target=target)
    shares = Measurement.objects.filter(member__target=target)
    return Q(pk__in=alone.order_by().values("pk").union(shares.order_by().values("pk")))

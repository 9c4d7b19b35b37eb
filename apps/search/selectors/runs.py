"""Runs by their own columns, hosts, owner and workloads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.db.models import Q, QuerySet

from apps.accounts.models import User
from apps.inventory.models import Host
from apps.plans.models import Workload
from apps.runs.models import Case, Run, RunTargetMember
from apps.search.domain.terms import Term
from apps.search.selectors.kinds import SearchKind
from apps.search.selectors.matching import columns_hold, kind_holds, with_stems

NEWEST = 5_000
"""Runs that are searched first: a frequent word has enough matches there."""


def runs_holding(kind: SearchKind, terms: Sequence[Term], most: int) -> QuerySet[Run]:
    """Return the newest runs that hold every term, at most `most`.

    Terms of workloads must be held by one workload of the run, or all by the rest of the run.
    """
    last = Run.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    # So few rows are read without indexes; their character pairs would be computed for each.
    first = replace(kind, paired=())
    keys = _keys(first, terms, most, last - NEWEST) if last > NEWEST else set()
    if len(keys) < most:
        keys = _keys(kind, terms, most, 0)
    return kind.rows().filter(pk__in=keys)


def _keys(kind: SearchKind, terms: Sequence[Term], most: int, above: int) -> set[int]:
    """Return the newest runs with a key above `above`."""
    keys = set(_newest(_by_rest(kind, terms, above), most))
    about_workloads = [term for term in terms if _workloads([term]).exists()]
    if about_workloads:
        rest = _by_rest(kind, [term for term in terms if term not in about_workloads], above)
        cases = Case.objects.filter(workload__in=_workloads(about_workloads)).order_by()
        cases = cases.filter(run__gt=above)
        keys.update(_newest(rest.filter(pk__in=cases.values("run")), most))
    return keys


def _newest(rows: QuerySet[Run], most: int) -> list[int]:
    return list(rows.order_by("-pk").values_list("pk", flat=True)[:most])


def _workloads(terms: Sequence[Term]) -> QuerySet[Workload]:
    rows = Workload.objects.order_by()
    for term in terms:
        rows = rows.filter(columns_hold(("label",), term))
    return rows.values("pk")  # type: ignore[return-value] # of dictionaries


def _pks(rows: QuerySet[Any]) -> list[int]:
    return list(rows.order_by().values_list("pk", flat=True))


def _by_rest(kind: SearchKind, terms: Sequence[Term], above: int) -> QuerySet[Run]:
    """Return runs that hold each term in a column, the owner's name or the name of a host."""
    newer = Run.objects.filter(pk__gt=above).order_by()
    rows = newer
    for term in terms:
        own = with_stems(newer, kind).filter(kind_holds(kind, term))
        # Their keys, not queries for them: PostgreSQL expects few to hold a word, and would read
        # the runs of all times of each of them.
        owners = _pks(User.objects.filter(columns_hold(("username",), term)))
        hosts = _pks(Host.objects.filter(columns_hold(("name",), term)))
        members = RunTargetMember.objects.filter(host__in=hosts, run_target__run__gt=above)
        keys = own.values("pk").union(
            newer.filter(owner__in=owners).values("pk"),
            members.order_by().values("run_target__run"),
        )
        rows = rows.filter(Q(pk__in=keys))
    return rows

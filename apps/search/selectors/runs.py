"""Runs by their own columns, hosts, owner and workloads."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Q, QuerySet

from apps.accounts.models import User
from apps.inventory.models import Host
from apps.plans.models import Workload
from apps.runs.models import Case, Run, RunTargetMember
from apps.search.domain.terms import Term
from apps.search.selectors.kinds import SearchKind
from apps.search.selectors.matching import columns_hold, kind_holds, with_stems


def runs_holding(kind: SearchKind, terms: Sequence[Term], most: int) -> QuerySet[Run]:
    """Return the newest runs that hold every term, at most `most`.

    Terms of workloads must be held by one workload of the run, or all by the rest of the run.
    """
    keys = set(_newest(_by_rest(kind, terms), most))
    about_workloads = [term for term in terms if _workloads([term]).exists()]
    if about_workloads:
        rest = _by_rest(kind, [term for term in terms if term not in about_workloads])
        cases = Case.objects.filter(workload__in=_workloads(about_workloads)).order_by()
        keys.update(_newest(rest.filter(pk__in=cases.values("run")), most))
    return kind.rows().filter(pk__in=keys)


def _newest(rows: QuerySet[Run], most: int) -> list[int]:
    return list(rows.order_by("-pk").values_list("pk", flat=True)[:most])


def _workloads(terms: Sequence[Term]) -> QuerySet[Workload]:
    rows = Workload.objects.order_by()
    for term in terms:
        rows = rows.filter(columns_hold(("label",), term))
    return rows.values("pk")  # type: ignore[return-value] # of dictionaries


def _by_rest(kind: SearchKind, terms: Sequence[Term]) -> QuerySet[Run]:
    """Return runs that hold each term in a column, the owner's name or the name of a host."""
    rows = Run.objects.all()
    for term in terms:
        own = with_stems(Run.objects.order_by(), kind).filter(kind_holds(kind, term))
        owners = User.objects.filter(columns_hold(("username",), term)).order_by().values("pk")
        hosts = Host.objects.filter(columns_hold(("name",), term)).order_by().values("pk")
        members = RunTargetMember.objects.filter(host__in=hosts).order_by()
        keys = own.values("pk").union(
            Run.objects.filter(owner__in=owners).order_by().values("pk"),
            members.values("run_target__run"),
        )
        rows = rows.filter(Q(pk__in=keys))
    return rows

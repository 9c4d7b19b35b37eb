"""Calculated durability: mean time to data loss of redundant disks. Pure.

Markov chain of failed disks (Gibson and Patterson, Designing Disk Arrays for High Data Reliability,
Journal of Parallel and Distributed Computing 17, 1993). State i: i failed disks in different
failure domains; m + 1 lose data. One disk is rebuilt at a time. For one parity this gives
((2n - 1) λ + μ) / (n (n - 1) λ²), about MTTF² / (n (n - 1) MTTR).

Not modelled: latent sector errors, correlated failures, software, people. They decide in practice,
so the result is an upper bound.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import expm1, inf, log1p, log10
from urllib.parse import urlencode

HOURS_OF_A_YEAR = 8766.0


@dataclass(frozen=True)
class RedundantDisks:
    """Disks that keep data with `m` redundant units beside `k` (copies: k = 1).

    `disks`: of one group. `domains`: failure domains of a group; each holds one unit of an object.
    `groups`: groups that fail independently. `yearly_failures`: share of the disks that fail in a
    year, above 0 and below 1. `rebuild_hours`: until a failed disk's data is redundant again.
    """

    k: int
    m: int
    disks: int
    domains: int
    yearly_failures: float
    rebuild_hours: float
    groups: int = 1


@dataclass(frozen=True)
class Durability:
    """`mttdl_hours`: mean time to data loss. `yearly_loss`: probability of a loss in a year.

    `nines`: of 1 - `yearly_loss`, as -log10 of the loss; infinite if that is below 1e-300.
    """

    mttdl_hours: float
    yearly_loss: float
    nines: float

    @property
    def mttdl_years(self) -> float:
        return self.mttdl_hours / HOURS_OF_A_YEAR


def failure_rate(yearly_failures: float) -> float:
    """Return the failures of a disk per hour, constant over time."""
    return -log1p(-yearly_failures) / HOURS_OF_A_YEAR


def mean_time_to_loss(rates: list[float], repair_rate: float) -> float:
    """Return the mean time until the last state is left.

    `rates`: failures per unit of time in state 0, 1, ...; `repair_rate`: repairs per unit of time.
    The mean time from state i to i + 1 is (1 + repair x time from i - 1 to i) / rate.
    """
    total, before = 0.0, 0.0
    for state, rate in enumerate(rates):
        before = (1.0 + (repair_rate * before if state else 0.0)) / rate
        total += before
    return total


def durability(result: RedundantDisks) -> Durability:
    """Return the durability of these disks.

    After i failures, only disks of other domains than the failed ones can lose a further unit.
    """
    rate = failure_rate(result.yearly_failures)
    in_domain = result.disks / result.domains
    rates = [(result.disks - i * in_domain) * rate for i in range(result.m + 1)]
    hours = mean_time_to_loss(rates, 1.0 / result.rebuild_hours) / result.groups
    loss = -expm1(-HOURS_OF_A_YEAR / hours) if hours < inf else 0.0
    return Durability(hours, loss, -log10(loss) if loss > 0 else inf)


def durability_query(
    name: str, *, k: int, m: int, disks: int, domains: int, groups: int = 1
) -> str:
    """Return the query string of the durability page; unknown (0) disks and domains are omitted."""
    values: dict[str, str | int] = {"name": name, "k": k, "m": m, "groups": groups}
    known = {"disks": disks, "domains": domains} if disks and domains else {}
    return urlencode(values | known)


def array_query(name: str, level: str, disks: int) -> str:
    """Return the query string for a RAID of so many disks; empty without a level."""
    if level == "raid10":
        return durability_query(name, k=1, m=1, disks=2, domains=2, groups=max(1, disks // 2))
    redundant = {"raid0": 0, "raid1": disks - 1, "raid5": 1, "raid6": 2}
    m = redundant.get(level)
    if m is None or disks <= m:
        return ""
    return durability_query(name, k=disks - m, m=m, disks=disks, domains=disks)

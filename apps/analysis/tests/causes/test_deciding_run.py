"""The deciding run: its tuning profiles, and the forms that its links open."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.analysis.causes.deciding_run import deciding_run, needed_tunings
from apps.analysis.causes.kinds import Kind
from apps.analysis.causes.ranking import (
    AffectedRepeat,
    Condition,
    RankedCondition,
    Value,
    rank_conditions,
)
from apps.analysis.tests.compare.factories import Setup, create_measured_run
from apps.plans.models import Workload
from apps.tuning.models import TuningProfile
from apps.tuning.schemas.settings import Setting

REPEATS = [AffectedRepeat(n, n < 4, float(n < 4)) for n in range(8)]


def ranked(*conditions: tuple[Kind, str, Value, Value]) -> list[RankedCondition]:
    """Conditions with one value in the affected repeats and another in the others."""
    rows = [
        Condition(kind, name, {n: slow if n < 4 else fast for n in range(8)})
        for kind, name, slow, fast in conditions
    ]
    return [rank_conditions(REPEATS, [row])[0] for row in rows]


SCHEDULER = (Kind.SETTING, "scheduler", "bfq", "none")
REQUESTS = (Kind.SETTING, "nr_requests", "64", "256")
LOAD = (Kind.CPU_LOAD, "CPU load of other processes", 40.0, 5.0)
WAITS = (Kind.CPU_LOAD, "Tasks waited for a CPU", 40.0, 5.0)


@pytest.mark.parametrize(
    ("conditions", "tunings"),
    [
        ([LOAD], []),
        ([SCHEDULER, LOAD], [{"scheduler": "bfq"}, {"scheduler": "none"}]),
        ([LOAD, SCHEDULER], [{"scheduler": "none"}]),
        ([LOAD, WAITS, SCHEDULER], [{"scheduler": "none"}]),
        (
            [SCHEDULER, REQUESTS],
            [
                {"scheduler": "bfq", "nr_requests": "256"},
                {"scheduler": "none", "nr_requests": "256"},
            ],
        ),
        ([(Kind.SETTING, "scheduler", "bfq / none", "none")], []),
        ([(Kind.SETTING, "kernel.pid_max", "1", "2")], []),
    ],
)
def test_needed_tunings(
    conditions: list[tuple[Kind, str, Value, Value]], tunings: list[dict[str, str]]
) -> None:
    assert needed_tunings(ranked(*conditions)) == tunings


def test_two_figures_of_one_load_are_not_decided_between() -> None:
    run = deciding_run(ranked(LOAD, WAITS), plan=1, workload=None)
    assert run is not None
    assert WAITS[1] not in run.text


def test_the_links_open_prefilled_forms(owner: User, owner_client: Client) -> None:
    create_measured_run(Setup(owner, repeats=1))
    workload = Workload.objects.get()
    known = TuningProfile.objects.create(
        owner=owner, name="fair", settings=(Setting("queue", "scheduler", "bfq"),)
    )
    run = deciding_run(ranked(SCHEDULER, LOAD), plan=None, workload=workload.pk)
    assert run is not None
    assert parse_qs(urlsplit(run.url).query)["tuning"] == [str(known.pk)]
    form = owner_client.get(run.url).context["forms"].plan
    assert form.initial["tunings"] == [known.pk]
    assert form.initial["description"] == run.text
    (missing,) = run.missing_tunings
    assert missing.label == "scheduler none"
    initial = owner_client.get(missing.url).context["form"].initial
    assert initial == {"name": "scheduler none", "scheduler": "none"}


@pytest.mark.parametrize("tuning", ["x", "0", "99999999999999999999", "5"])
def test_an_unknown_tuning_is_ignored_or_refused(tuning: str, owner_client: Client) -> None:
    assert owner_client.get("/plans/new/", {"tuning": tuning}).status_code in (200, 404)

"""Every step from any state to any other, tried against the database: it allows those of the table
in apps.runs.transitions and no other.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from django.db import IntegrityError, connection, models
from django.utils import timezone

from apps.accounts.models import User
from apps.runs.models import FINAL_RUN, Attempt, AttemptState, Case, CaseState, Run, RunState
from apps.runs.tests.factories import create_attempt, create_run
from apps.runs.transitions import ATTEMPT_NEXT, CASE_NEXT, RUN_NEXT, Table, cases_step

TABLES: list[tuple[type[models.Model], type[models.TextChoices], Table]] = [
    (Run, RunState, RUN_NEXT),
    (Case, CaseState, CASE_NEXT),
    (Attempt, AttemptState, ATTEMPT_NEXT),
]
PAIRS = [
    (model, table, before, after)
    for model, states, table in TABLES
    for before, after in product(states.values, states.values)
]


@pytest.fixture(scope="module")
def made(module_owner: User, django_db_blocker: Any) -> Run:
    """With one case and one attempt."""
    with django_db_blocker.unblock():
        run = create_run(owner=module_owner)
        create_attempt(run.cases.get(), valid=False)
        connection.check_constraints()  # else each test checks all that was made
    return run


@pytest.fixture
def run(made: Run, db: None) -> Run:
    return Run.objects.get(pk=made.pk)


def hold(on: bool) -> None:
    """Whether this connection is held to the table, as all but the tests' are."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('benchlab.any_state', %s, TRUE)", ["" if on else "on"])


@pytest.mark.parametrize(("model", "table", "before", "after"), PAIRS)
def test_the_database_allows_the_steps_of_the_table(
    run: Run, model: Any, table: Table, before: str, after: str
) -> None:
    model.objects.update(state=before)
    hold(True)
    allowed = before == after or after in table.get(before, set())
    if allowed:
        assert model.objects.update(state=after) == 1
        return
    with pytest.raises(IntegrityError, match=f"{before} cannot become {after}"):
        model.objects.update(state=after)


@pytest.mark.parametrize("model", [Run, Case, Attempt])
def test_no_other_word_is_a_state(run: Run, model: Any) -> None:
    with pytest.raises(IntegrityError, match="known_state"):
        model.objects.update(state="dancing")


@pytest.mark.parametrize("state", list(RunState))
def test_only_an_ended_run_has_an_end(run: Run, state: RunState) -> None:
    row = Run.objects.filter(pk=run.pk)
    if state in FINAL_RUN:
        assert row.update(state=state, finished_at=timezone.now())
        with pytest.raises(IntegrityError, match="an_ended_run_has_no_worker"):
            row.update(lease_until=timezone.now())
    else:
        with pytest.raises(IntegrityError, match="only_an_ended_run_has_an_end"):
            row.update(state=state, finished_at=timezone.now())


def test_what_failed_has_no_valid_figures(run: Run) -> None:
    with pytest.raises(IntegrityError, match="only_a_success"):
        Attempt.objects.update(state=AttemptState.LOST, valid=True)


def test_a_good_case_is_nobodys_fault(run: Run) -> None:
    with pytest.raises(IntegrityError, match="only_a_bad_case"):
        Case.objects.update(state=CaseState.SUCCEEDED, fault="tool")


def test_cases_are_taken_along_only_from_where_they_may_go(run: Run) -> None:
    hold(True)
    assert cases_step(run.cases.all(), CaseState.PENDING) == 0  # it succeeded: no retry
    assert run.cases.get().state == CaseState.SUCCEEDED

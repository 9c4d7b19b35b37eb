"""Services ask for the role themselves: whoever calls them without a page or the API meets the same
rule.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.exceptions import PermissionDenied

from apps.accounts.models import User
from apps.runs.models import Run, RunState
from apps.runs.services import runs as services
from apps.runs.services.annotations import run_annotate
from apps.runs.services.extension import repeats_add
from apps.runs.tests.factories import create_disk, create_host, create_plan, create_run

pytestmark = pytest.mark.django_db
Act = Callable[[Run, User], object]
ACTS: dict[str, Act] = {
    "cancel": lambda run, user: services.run_cancel(run=run, user=user),
    "retry": lambda run, user: services.run_retry(run=run, user=user),
    "add repeats": lambda run, user: repeats_add(run=run, user=user, repeats=2),
    "annotate": lambda run, user: run_annotate(run=run, user=user, note="seen"),
}


@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
def test_a_viewer_changes_no_run(act: Act, owner: User, viewer: User) -> None:
    run = create_run(owner=owner)
    with pytest.raises(PermissionDenied, match="Operator"):
        act(run, viewer)
    run.refresh_from_db()
    assert (run.state, run.note) == (RunState.QUEUED, "")


def test_a_viewer_launches_nothing(owner: User, viewer: User) -> None:
    plan = create_plan(owner=owner, target=create_disk(host=create_host(), owner=owner))
    with pytest.raises(PermissionDenied, match="Operator"):
        services.run_launch(plan=plan, user=viewer)
    assert not Run.objects.exists()


@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
def test_change_of_a_run_of_another_operator_is_refused(
    act: Act, owner: User, stranger: User
) -> None:
    run = create_run(owner=owner)
    with pytest.raises(PermissionDenied, match="Only its owner"):
        act(run, stranger)


def test_launch_of_a_plan_of_another_operator_creates_an_own_run(
    owner: User, stranger: User
) -> None:
    plan = create_plan(owner=owner, target=create_disk(host=create_host(), owner=owner))
    run = services.run_launch(plan=plan, user=stranger)
    assert services.run_cancel(run=run, user=stranger).state == RunState.CANCELLED
    assert run_annotate(run=run, user=stranger, note="mine").note == "mine"


def test_permission_is_that_of_the_stored_row(owner: User, stranger: User) -> None:
    run = create_run(owner=owner)
    Run.objects.filter(pk=run.pk).update(owner=stranger)
    with pytest.raises(PermissionDenied, match="Only its owner"):
        services.run_cancel(run=run, user=owner)

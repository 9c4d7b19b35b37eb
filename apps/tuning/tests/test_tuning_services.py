"""Creating, changing, copying and archiving tuning profiles."""

from __future__ import annotations

import pytest
from django.core.exceptions import PermissionDenied

from apps.accounts.models import AuditEntry, User
from apps.accounts.tests.factories import create_team
from apps.tuning.models import TuningProfile
from apps.tuning.schemas.errors import TuningError
from apps.tuning.schemas.settings import Setting
from apps.tuning.services import (
    TuningDraft,
    default_profile_ensure,
    tuning_archive,
    tuning_clone,
    tuning_create,
    tuning_update,
)
from tests.harness.documents import Changes

NONE = [{"kind": "queue", "name": "scheduler", "value": "none"}]
SCHEDULER = (Setting("queue", "scheduler", "none"),)


def test_profile_is_stored_in_canonical_form_and_audited(owner: User) -> None:
    settings = [{"name": "nr_requests", "value": "64"}, *NONE]
    made = tuning_create(user=owner, draft=TuningDraft("fast", settings=settings, settle_seconds=5))
    assert [one.value for one in made.settings] == ["none", 64]
    assert AuditEntry.objects.get(object_type="tuningprofile").action == "create"


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "x" * 81}, "name"),
        ({"settings": [{"name": "scheduler", "value": "x"}]}, "settings.scheduler"),
        ({"settings": "none"}, "settings"),
        ({"settle_seconds": -1}, "settle_seconds"),
        ({"settle_seconds": float("nan")}, "settle_seconds"),
        ({"settle_seconds": 3601}, "settle_seconds"),
        ({"name": "Host defaults", "settings": NONE}, "settings"),
    ],
)
def test_a_bad_draft_is_refused_at_its_field(owner: User, values: Changes, field: str) -> None:
    draft: Changes = {"name": "fast", **values}
    with pytest.raises(TuningError) as caught:
        tuning_create(user=owner, draft=TuningDraft(**draft))
    assert field in caught.value.fields
    assert not TuningProfile.objects.exists()


def test_a_viewer_creates_nothing(viewer: User) -> None:
    with pytest.raises(PermissionDenied):
        tuning_create(user=viewer, draft=TuningDraft("fast"))


def test_a_stranger_changes_nothing_but_may_copy(owner: User, stranger: User) -> None:
    tuning = tuning_create(user=owner, draft=TuningDraft("fast", settings=NONE))
    with pytest.raises(PermissionDenied):
        tuning_update(tuning=tuning, user=stranger, draft=TuningDraft("mine"))
    with pytest.raises(PermissionDenied):
        tuning_archive(tuning=tuning, user=stranger)
    copy = tuning_clone(tuning=tuning, user=stranger)
    assert (copy.name, copy.owner, copy.settings) == ("fast (copy)", stranger, SCHEDULER)


def test_a_change_records_both_settings(owner: User) -> None:
    tuning = tuning_create(user=owner, draft=TuningDraft("fast"))
    tuning_update(tuning=tuning, user=owner, draft=TuningDraft("fast", settings=NONE))
    entry = AuditEntry.objects.get(action="change")
    assert entry.detail == {"before": [], "after": NONE}


def test_a_team_member_changes_and_another_team_is_refused(owner: User, stranger: User) -> None:
    team = create_team()
    owner.teams.add(team)
    stranger.teams.add(team)
    tuning = tuning_create(user=owner, draft=TuningDraft("fast", team=team))
    changed = tuning_update(tuning=tuning, user=stranger, draft=TuningDraft("faster", team=team))
    assert changed.name == "faster"
    with pytest.raises(TuningError):
        tuning_create(user=stranger, draft=TuningDraft("x", team=create_team()))


def test_an_archived_profile_is_restored_before_it_changes(owner: User) -> None:
    tuning = tuning_create(user=owner, draft=TuningDraft("fast"))
    tuning = tuning_archive(tuning=tuning, user=owner)
    with pytest.raises(TuningError):
        tuning_update(tuning=tuning, user=owner, draft=TuningDraft("x"))
    tuning_archive(tuning=tuning, user=owner, archived=False)
    assert tuning_update(tuning=tuning, user=owner, draft=TuningDraft("x")).name == "x"


def test_as_found_is_made_once_and_changes_nothing(owner: User, admin: User) -> None:
    first, again = default_profile_ensure(user=owner), default_profile_ensure(user=admin)
    assert first == again
    assert first.settings == ()

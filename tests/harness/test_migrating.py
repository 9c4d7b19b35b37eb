"""A copied field is what Django would have made."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.db.migrations.autodetector import MigrationAutodetector
from django.db.migrations.state import ProjectState
from django.db.models import Field

from tests.harness.migrating import copied, quick_copies


def fields() -> list[Field[Any, Any]]:
    """Every field of every model, as migrations keep them."""
    models = ProjectState.from_apps(apps).models.values()
    return [field for model in models for field in model.fields.values()]


def whole(field: Field[Any, Any]) -> Any:
    """All that a field is made of, to its depth, as migrations compare it."""
    return MigrationAutodetector(ProjectState(), ProjectState()).deep_deconstruct(field)


def test_every_field_is_made_of_the_same() -> None:
    found = fields()
    assert len(found) > 500
    with quick_copies():
        quick = [field.clone() for field in found]
    for field, other in zip(found, quick, strict=True):
        assert whole(other) == whole(made := field.clone())
        assert vars(other).keys() == vars(made).keys()


def test_a_copy_stands_for_itself() -> None:
    field = next(each for each in fields() if each.many_to_one)
    first, second = copied(field), copied(field)
    assert field.creation_counter < first.creation_counter < second.creation_counter
    assert first.remote_field.field is first
    assert first.remote_field is not field.remote_field


def test_models_of_a_state_have_the_same_columns() -> None:
    plain = ProjectState.from_apps(apps)
    quick = plain.clone()
    with quick_copies():
        made = quick.apps
    for model in plain.apps.get_models():
        other = made.get_model(model._meta.label)
        columns = [(each.column, type(each)) for each in model._meta.concrete_fields]
        assert [(each.column, type(each)) for each in other._meta.concrete_fields] == columns

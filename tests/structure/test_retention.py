"""Each model has a retention rule, which is documented and applied."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.db.models import Model

from benchlab.ops.retention import documented_table, retention_table

DOCS = Path(__file__).resolve().parents[2] / "docs"


def unruled(models: Iterable[type[Model]]) -> set[str]:
    """Return the labels of models without a rule."""
    return {model._meta.label for model in models} - {
        rule.model._meta.label for rule in retention_table()
    }


def test_every_model_has_one_retention_rule() -> None:
    models = [model for model in apps.get_models() if model.__module__.startswith("apps.")]
    assert unruled(models) == set()
    labels = [rule.model._meta.label for rule in retention_table()]
    assert sorted(set(labels)) == labels


def test_a_model_without_a_rule_is_found() -> None:
    class Unruled(Model):
        class Meta:
            app_label = "runs"
            apps = type(apps)()

        def __str__(self) -> str:
            return ""

    assert unruled([Unruled]) == {"runs.Unruled"}


def test_documentation_has_the_retention_table() -> None:
    text = (DOCS / "operations" / "retention.md").read_text()
    lines = [line for line in text.splitlines() if line.startswith("|")]
    assert lines == documented_table()


def test_each_rule_names_a_scheduled_task_or_a_write() -> None:
    scheduled = {str(entry["task"]) for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    named = {rule.task for rule in retention_table() if "." in rule.task}
    assert named == {task for task in scheduled if task.endswith(".retention")}


def test_each_setting_of_a_rule_is_documented() -> None:
    text = (DOCS / "reference" / "environment.md").read_text()
    missing = {rule.setting for rule in retention_table() if f"### {rule.setting}\n" not in text}
    assert missing - {""} == set()

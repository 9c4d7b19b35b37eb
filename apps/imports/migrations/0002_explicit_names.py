"""Names that people give files stand apart from those of paths; keys without the names of jobs."""

from typing import Any

import django.contrib.postgres.fields
from django.db import migrations, models


def keys_copied(apps: Any, schema_editor: Any) -> None:
    """Files that were read before know no names of jobs."""
    apps.get_model("imports", "ImportFile").objects.update(nameless_keys=models.F("keys"))


class Migration(migrations.Migration):
    dependencies = [
        ("imports", "0001_imports"),
    ]

    operations = [
        migrations.AddField(
            model_name="import",
            name="ignore_names",
            field=models.BooleanField(default=False, verbose_name="names of jobs mean nothing"),
        ),
        migrations.AddField(
            model_name="importfile",
            name="ignore_names",
            field=models.BooleanField(default=False, verbose_name="names of jobs mean nothing"),
        ),
        migrations.AddField(
            model_name="importfile",
            name="nameless_keys",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=64), default=list, size=None
            ),
        ),
        migrations.AddField(
            model_name="importfile",
            name="proposed",
            field=models.JSONField(default=dict),
        ),
        migrations.RunPython(keys_copied, migrations.RunPython.noop),
    ]

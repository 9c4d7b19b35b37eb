"""The diary's lines are found by run and line: an index by both in place of the run's."""

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("runs", "0029_until_decided")]

    operations: ClassVar = [
        migrations.AddIndex(
            model_name="runevent",
            index=models.Index(fields=["run", "id"], name="diary_of_a_run"),
        ),
        migrations.AlterField(
            model_name="runevent",
            name="run",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="events",
                to="runs.run",
            ),
        ),
    ]

"""Series name their run: all series of a run are found by one index, not attempt by attempt."""

import django.db.models.deletion
from django.db import migrations, models

FILLED = """
UPDATE results_series AS row SET run_id = c.run_id
FROM runs_attempt AS a JOIN runs_case AS c ON c.id = a.case_id
WHERE a.id = row.attempt_id;
SET CONSTRAINTS ALL IMMEDIATE;
"""


def _run(**options):
    return models.ForeignKey(
        db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING,
        related_name="+", to="runs.run", **options,
    )


class Migration(migrations.Migration):

    dependencies = [
        ("results", "0020_results_change_runs"),
    ]

    operations = [
        migrations.AddField(model_name="series", name="run", field=_run(null=True)),
        migrations.RunSQL(FILLED, migrations.RunSQL.noop),
        migrations.AlterField(model_name="series", name="run", field=_run()),
        migrations.AddIndex(
            model_name="series",
            index=models.Index(fields=["run", "id"], name="series_of_a_run"),
        ),
    ]

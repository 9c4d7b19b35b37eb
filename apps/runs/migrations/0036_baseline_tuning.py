"""A run names the tuning that its others are compared with. Runs that are there get the one that
comparisons chose until now.
"""

from django.db import migrations, models

FILL = """
UPDATE runs_runtuning SET is_baseline = true WHERE id IN (
    SELECT DISTINCT ON (run_id) id FROM runs_runtuning
    ORDER BY run_id, name <> 'As found', name !~* '\\mbefore\\M', name, position
)
"""


class Migration(migrations.Migration):
    dependencies = [("runs", "0035_versions_of_runs")]

    operations = [
        migrations.AddField(
            model_name="runtuning",
            name="is_baseline",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddConstraint(
            model_name="runtuning",
            constraint=models.UniqueConstraint(
                condition=models.Q(("is_baseline", True)),
                fields=("run",),
                name="a_run_has_one_baseline_tuning",
            ),
        ),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
    ]

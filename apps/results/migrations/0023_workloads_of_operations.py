"""Each result has the workload of its operation; figures follow it."""

from importlib import import_module

import django.db.models.deletion
from django.db import migrations, models

BEFORE = import_module("apps.results.migrations.0013_cases_that_prepare_are_left_out").DUE
DUE = BEFORE.replace("m.case_id, c.workload_id, c.run_target_id", "m.case_id, m.workload_id, c.run_target_id")
assert DUE != BEFORE


def workload(**options):
    return models.ForeignKey(
        db_index=False, on_delete=django.db.models.deletion.PROTECT,
        related_name="measurements", to="plans.workload", **options,
    )


class Migration(migrations.Migration):

    dependencies = [
        ("plans", "0014_decided_between_others"),
        ("results", "0022_figures_in_order"),
    ]

    operations = [
        migrations.AddField("measurement", "workload", workload(null=True)),
        migrations.RunSQL(
            "UPDATE results_measurement AS m SET workload_id = c.workload_id "
            "FROM runs_case AS c WHERE c.id = m.case_id; SET CONSTRAINTS ALL IMMEDIATE;",
            migrations.RunSQL.noop,
        ),
        migrations.AlterField("measurement", "workload", workload()),
        migrations.RunSQL(DUE, BEFORE),
    ]

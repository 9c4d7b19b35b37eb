"""Figures are written by apps.results.figure_table alone."""

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models

DROP = """
DROP TRIGGER figures_shared ON runs_member;
DROP TRIGGER figures_shared ON runs_runtarget;
DROP TRIGGER figures_shared ON runs_runtuning;
DROP TRIGGER figures_judged ON runs_attempt;
DROP TRIGGER figures_judged ON runs_case;
DROP TRIGGER figures_no_more ON results_measurement;
DROP TRIGGER figures_measured_again ON results_measurement;
DROP TRIGGER figures_measured ON results_measurement;
DROP FUNCTION results_figures_shared();
DROP FUNCTION results_figures_judged();
DROP FUNCTION results_figures_measured();
DROP FUNCTION results_figures_of_cases(bigint[], bigint[]);
DROP FUNCTION results_figures_write(bigint[]);
DROP VIEW results_figure_due;
DROP FUNCTION results_settings_hash(jsonb);
"""


class Migration(migrations.Migration):
    dependencies: ClassVar = [
        ("results", "0025_measurements_of_a_workload"),
    ]

    operations: ClassVar = [
        migrations.RunSQL(DROP),
        migrations.AlterField(
            "figure",
            "measurement",
            models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE,
                primary_key=True,
                related_name="figure",
                serialize=False,
                to="results.measurement",
            ),
        ),
        migrations.AlterField(
            "figure",
            "tuning",
            models.ForeignKey(
                db_constraint=False,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="figures",
                to="tuning.tuningprofile",
            ),
        ),
    ]

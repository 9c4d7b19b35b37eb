"""Results of cases that prepare a disk are no figures that a comparison may use."""

from importlib import import_module

from django.db import migrations, models

BEFORE = import_module("apps.results.migrations.0009_what_was_expected").DUE
CASE = "SELECT run_id, workload_id, run_target_id, run_tuning_id, block, repeat, state, step_name"
DUE = BEFORE.replace(CASE, f"{CASE}, purpose").replace(
    "WHEN NOT m.valid THEN 'invalid'",
    "WHEN c.purpose <> 'measure' THEN 'prepare'\n        WHEN NOT m.valid THEN 'invalid'",
)
assert DUE.count("purpose") == 2
COLUMNS = "run_id, workload_id, run_target_id, run_tuning_id, block, repeat"


def judged(columns: str) -> str:
    old, new = (
        ", ".join(f"{row}.{name}" for name in columns.split(", ")) for row in ("OLD", "NEW")
    )
    return f"""
DROP TRIGGER figures_judged ON runs_case;
CREATE TRIGGER figures_judged AFTER UPDATE OF state, {columns} ON runs_case
    FOR EACH ROW WHEN (
        (OLD.state = 'succeeded') <> (NEW.state = 'succeeded') OR ({old}) <> ({new})
    ) EXECUTE FUNCTION results_figures_judged();
"""


class Migration(migrations.Migration):

    dependencies = [
        ('results', '0012_settings_say_where'),
        ('runs', '0027_cases_that_prepare'),
    ]

    operations = [
        migrations.AlterField(
            model_name='figure',
            name='left_out',
            field=models.CharField(blank=True, choices=[('invalid', 'its figures are marked invalid'), ('case', 'the case did not succeed'), ('attempt', 'the attempt did not succeed, or its figures are doubtful'), ('replaced', 'a later attempt of the same case counts'), ('prepare', 'the case prepares a disk')], max_length=8),
        ),
        migrations.RunSQL(DUE, ["DROP VIEW results_figure_due", BEFORE]),
        migrations.RunSQL(judged(f"{COLUMNS}, purpose"), judged(COLUMNS)),
    ]

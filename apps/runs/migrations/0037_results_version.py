from django.db import migrations, models

TABLES = (
    "runs_case", "runs_runevent", "runs_runtarget", "runs_runtuning", "runs_until",
    "runs_decision", "runs_attempt", "runs_givenup", "runs_member", "runs_runexpectation",
    "results_measurement",
)
TRIGGERS = "".join(
    f"DROP TRIGGER run_changed_by_{event} ON {table};"
    for table in TABLES
    for event in ("insert", "update", "delete")
)
FUNCTIONS = """
DROP FUNCTION runs_changed_by_run();
DROP FUNCTION runs_changed_by_case();
DROP FUNCTION runs_changed_by_attempt();
DROP FUNCTION runs_changed_by_target();
DROP TRIGGER runs_changes_forgotten ON runs_run;
DROP FUNCTION runs_changes_forgotten();
DROP TRIGGER runs_another_version ON runs_run;
DROP FUNCTION runs_another_version();
DROP SEQUENCE runs_versions;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('runs', '0036_baseline_tuning'),
        ('results', '0024_figures_are_possible'),
    ]

    operations = [
        migrations.RunSQL(TRIGGERS + FUNCTIONS),
        migrations.DeleteModel(name='RunChange'),
        migrations.RenameField(model_name='run', old_name='version', new_name='results_version'),
    ]

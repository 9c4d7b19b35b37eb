"""States are written by apps.runs.transitions alone."""

from typing import ClassVar

from django.db import migrations

DROP = """
DROP TRIGGER runs_states_go_forward ON runs_run;
DROP TRIGGER runs_states_go_forward ON runs_case;
DROP TRIGGER runs_states_go_forward ON runs_attempt;
DROP FUNCTION runs_states_go_forward();
"""


class Migration(migrations.Migration):
    dependencies: ClassVar = [("runs", "0037_results_version")]

    operations: ClassVar = [migrations.RunSQL(DROP)]

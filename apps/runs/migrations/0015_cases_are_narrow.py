"""Cases lose what the rows they share say."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models

GONE = (
    *("host", "hosts", "disk", "directory", "pool", "pair", "group", "members", "target_name"),
    *("tuning", "tuning_name", "tuning_settings", "settle", "tool", "params"),
)


class Migration(migrations.Migration):
    dependencies = [("runs", "0014_what_cases_share")]

    operations = [
        *(
            migrations.AlterField(
                "case",
                name,
                models.ForeignKey(
                    to=to, on_delete=django.db.models.deletion.CASCADE, related_name="cases"
                ),
            )
            for name, to in (("run_target", "runs.runtarget"), ("run_tuning", "runs.runtuning"))
        ),
        *(migrations.RemoveField("case", name) for name in GONE),
    ]

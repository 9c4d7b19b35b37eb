"""A plan names a target, whatever its kind, in one column instead of five."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models

KINDS = {
    "disk": "inventory_disk",
    "directory": "inventory_directory",
    "pool": "inventory_pool",
    "pair": "inventory_hostpair",
    "group": "inventory_targetgroup",
}
FILL = """
UPDATE plans_plantarget SET target_id = {table}.target_id FROM {table}
WHERE plans_plantarget.{kind}_id = {table}.id
"""
# What a plan named twice it names once.
ONCE = """
DELETE FROM plans_plantarget AS later USING plans_plantarget AS first
WHERE later.plan_id = first.plan_id AND later.target_id = first.target_id AND later.id > first.id
"""


class Migration(migrations.Migration):
    dependencies = [
        ("inventory", "0008_targets_of_rows"),
        ("plans", "0004_who_schedules"),
    ]

    operations = [
        migrations.AddField(
            model_name="plantarget",
            name="target",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="plan_targets",
                to="inventory.target",
            ),
        ),
        *(
            migrations.RunSQL(FILL.format(kind=kind, table=table), migrations.RunSQL.noop)
            for kind, table in KINDS.items()
        ),
        migrations.RunSQL(ONCE, migrations.RunSQL.noop),
        # The rows just written are checked before the table is altered.
        migrations.RunSQL("SET CONSTRAINTS ALL IMMEDIATE", migrations.RunSQL.noop),
        migrations.AlterField(
            model_name="plantarget",
            name="target",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="plan_targets",
                to="inventory.target",
            ),
        ),
        migrations.RemoveConstraint("plantarget", "target_is_exactly_one_thing"),
        *(migrations.RemoveField("plantarget", kind) for kind in KINDS),
        migrations.AddConstraint(
            "plantarget",
            models.UniqueConstraint(fields=["plan", "target"], name="a_plan_names_a_target_once"),
        ),
        migrations.AddConstraint(
            "planstep",
            models.UniqueConstraint(fields=["plan", "position"], name="steps_are_numbered"),
        ),
    ]

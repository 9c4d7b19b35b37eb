"""The targets that plans and results name, whatever their kind."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models

LINKS = {
    "disk": "disk",
    "directory": "directory",
    "pool": "pool",
    "hostpair": "pair",
    "targetgroup": "group",
}


class Migration(migrations.Migration):
    dependencies = [("inventory", "0006_what_disks_hold")]

    operations = [
        migrations.CreateModel(
            name="Target",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(max_length=20)),
            ],
            options={"ordering": ["id"]},
        ),
        *(
            migrations.AddField(
                model_name=model,
                name="target",
                field=models.OneToOneField(
                    editable=False,
                    null=True,
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name=kind,
                    to="inventory.target",
                ),
            )
            for model, kind in LINKS.items()
        ),
    ]

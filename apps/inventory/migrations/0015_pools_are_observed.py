"""Hosts of OSDs are observed of pools that are entered from now on; runs on those of before go on
as they did.
"""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models
from django.db.migrations.operations.base import Operation


class Migration(migrations.Migration):
    dependencies: ClassVar[list[tuple[str, str]]] = [("inventory", "0014_level_of_a_group")]
    operations: ClassVar[list[Operation]] = [
        migrations.AddField(
            "pool",
            "observed",
            models.BooleanField("hosts of its OSDs are observed", default=False),
        ),
        migrations.AlterField(
            "pool",
            "observed",
            models.BooleanField("hosts of its OSDs are observed", default=True),
        ),
    ]

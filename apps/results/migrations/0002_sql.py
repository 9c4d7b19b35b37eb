"""Values of a series are float32 numbers, which hardly shrink: PostgreSQL stores them as they are."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations

EXTERNAL = 'ALTER TABLE results_serieschunk ALTER COLUMN "values" SET STORAGE EXTERNAL'
EXTENDED = 'ALTER TABLE results_serieschunk ALTER COLUMN "values" SET STORAGE EXTENDED'


class Migration(migrations.Migration):
    dependencies: ClassVar = [("results", "0001_initial")]

    operations: ClassVar = [migrations.RunSQL(EXTERNAL, EXTENDED)]

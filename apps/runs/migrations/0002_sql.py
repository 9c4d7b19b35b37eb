"""Raw output is packed before PostgreSQL stores it, and an S3 prefix is marked as this database's."""

from __future__ import annotations

from typing import ClassVar

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

EXTERNAL = "ALTER TABLE runs_blobcontent ALTER COLUMN content SET STORAGE EXTERNAL"
EXTENDED = "ALTER TABLE runs_blobcontent ALTER COLUMN content SET STORAGE EXTENDED"


def store_mark_create(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    # A mark that is made with the first file would be undone with that transaction, but stay in S3.
    apps.get_model("runs", "StoreMark").objects.create()


class Migration(migrations.Migration):
    dependencies: ClassVar = [("runs", "0001_initial")]

    operations: ClassVar = [
        migrations.RunSQL(EXTERNAL, EXTENDED),
        migrations.RunPython(store_mark_create, migrations.RunPython.noop),
    ]

"""Compressed bytes are stored as they are, and this installation gets its identity."""

from __future__ import annotations

from typing import ClassVar

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

EXTERNAL = "ALTER TABLE blobs_blobcontent ALTER COLUMN content SET STORAGE EXTERNAL"
EXTENDED = "ALTER TABLE blobs_blobcontent ALTER COLUMN content SET STORAGE EXTENDED"


def store_identity_create(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    # A row that is inserted with the first file would be rolled back with it, its object in S3 not.
    apps.get_model("blobs", "StoreIdentity").objects.create()


class Migration(migrations.Migration):
    dependencies: ClassVar = [("blobs", "0001_initial")]

    operations: ClassVar = [
        migrations.RunSQL(EXTERNAL, EXTENDED),
        migrations.RunPython(store_identity_create, migrations.RunPython.noop),
    ]

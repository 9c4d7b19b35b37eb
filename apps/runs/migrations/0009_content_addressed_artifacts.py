"""Artifacts share their bytes: one blob for each content.

The table that holds the bytes stays where it is and becomes `runs_blobcontent`; only narrow rows
are written anew, so a large archive is not copied.
"""

import django.db.models.deletion
from django.db import migrations, models

BYTES_STAY = """
ALTER TABLE runs_artifact DROP CONSTRAINT one_artifact_per_name;
DROP INDEX artifacts_by_content;
ALTER TABLE runs_artifact ALTER COLUMN id DROP IDENTITY;
ALTER TABLE runs_artifact RENAME CONSTRAINT runs_artifact_pkey TO runs_blobcontent_pkey;
ALTER TABLE runs_artifact RENAME TO runs_blobcontent;
"""
ROWS_MOVE = """
INSERT INTO runs_blob (id, sha256, size, packed, encoding, store, created_at)
    SELECT DISTINCT ON (sha256)
        id, sha256, size, octet_length(content), encoding, 'postgresql', created_at
    FROM runs_blobcontent ORDER BY sha256, id;
INSERT INTO runs_artifact (id, attempt_id, name, size, sha256, blob_id, created_at, removed_by)
    SELECT old.id, old.attempt_id, old.name, old.size, old.sha256, blob.id, old.created_at, ''
    FROM runs_blobcontent old JOIN runs_blob blob USING (sha256) ORDER BY old.id;
SELECT setval(pg_get_serial_sequence(name, 'id'), top)
    FROM (SELECT max(id) AS top FROM runs_blobcontent) AS ids,
         (VALUES ('runs_blob'), ('runs_artifact')) AS tables (name)
    WHERE top IS NOT NULL;
DELETE FROM runs_blobcontent WHERE NOT EXISTS (
    SELECT FROM runs_blob WHERE runs_blob.id = runs_blobcontent.id);
ALTER TABLE runs_blobcontent
    DROP COLUMN attempt_id, DROP COLUMN name, DROP COLUMN size,
    DROP COLUMN sha256, DROP COLUMN encoding, DROP COLUMN created_at;
ALTER TABLE runs_blobcontent RENAME COLUMN id TO blob_id;
ALTER TABLE runs_blobcontent ADD CONSTRAINT runs_blobcontent_blob_id_fk
    FOREIGN KEY (blob_id) REFERENCES runs_blob (id) DEFERRABLE INITIALLY DEFERRED;
-- The bytes are packed: PostgreSQL need not try again.
ALTER TABLE runs_blobcontent ALTER COLUMN content SET STORAGE EXTERNAL;
"""


class Migration(migrations.Migration):
    dependencies = [("runs", "0008_long_names")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunSQL(BYTES_STAY)],
            state_operations=[migrations.DeleteModel("Artifact")],
        ),
        migrations.CreateModel(
            name="Blob",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("sha256", models.CharField(max_length=64)),
                ("size", models.BigIntegerField()),
                ("packed", models.BigIntegerField()),
                ("encoding", models.CharField(max_length=8)),
                ("store", models.CharField(choices=[("postgresql", "PostgreSQL"), ("files", "files")], max_length=12)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ["id"],
                "indexes": [models.Index(fields=["store", "id"], name="blobs_of_a_store")],
                "constraints": [models.UniqueConstraint(fields=["sha256"], name="one_blob_per_content")],
            },
        ),
        migrations.CreateModel(
            name="Artifact",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=420)),
                ("size", models.BigIntegerField()),
                ("sha256", models.CharField(max_length=64)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("removed_at", models.DateTimeField(blank=True, null=True)),
                ("removed_by", models.TextField(blank=True)),
                ("attempt", models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="artifacts", to="runs.attempt")),
                ("blob", models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name="artifacts", to="runs.blob")),
            ],
            options={
                "ordering": ["attempt", "name"],
                "indexes": [models.Index(fields=["sha256"], name="artifacts_by_content")],
                "constraints": [
                    models.UniqueConstraint(fields=("attempt", "name"), name="one_artifact_per_name"),
                    models.CheckConstraint(
                        condition=models.Q(("blob__isnull", False), ("removed_at__isnull", False), _connector="OR"),
                        name="artifacts_have_bytes_or_were_removed",
                    ),
                ],
            },
        ),
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunSQL(ROWS_MOVE)],
            state_operations=[
                migrations.CreateModel(
                    name="BlobContent",
                    fields=[
                        ("blob", models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name="stored", serialize=False, to="runs.blob")),
                        ("content", models.BinaryField()),
                    ],
                ),
            ],
        ),
    ]

"""Every row that plans and results may name gets its target, and keeps it: whoever saves a row
that was read before it had one changes nothing, and a row goes together with its target, which
stays while a plan or a run names it.
"""

from __future__ import annotations

from django.db import migrations

TABLES = {
    "disk": "inventory_disk",
    "directory": "inventory_directory",
    "pool": "inventory_pool",
    "pair": "inventory_hostpair",
    "group": "inventory_targetgroup",
}
FILL = """
WITH without AS (
    SELECT id, nextval(pg_get_serial_sequence('inventory_target', 'id')) AS made
    FROM {table} WHERE target_id IS NULL ORDER BY id
), made AS (
    INSERT INTO inventory_target (id, kind) SELECT made, '{kind}' FROM without
)
UPDATE {table} SET target_id = without.made FROM without WHERE {table}.id = without.id
"""

KEEP = """
CREATE FUNCTION inventory_target_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.target_id := OLD.target_id;
    RETURN NEW;
END $$
"""
GO = """
CREATE FUNCTION inventory_target_go() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM inventory_target WHERE id = OLD.target_id;
    RETURN NULL;
END $$
"""
GUARD = """
CREATE TRIGGER target_keep BEFORE UPDATE ON {table} FOR EACH ROW
WHEN (OLD.target_id IS NOT NULL AND NEW.target_id IS DISTINCT FROM OLD.target_id)
EXECUTE FUNCTION inventory_target_keep();
CREATE TRIGGER target_go AFTER DELETE ON {table} FOR EACH ROW
WHEN (OLD.target_id IS NOT NULL) EXECUTE FUNCTION inventory_target_go()
"""


class Migration(migrations.Migration):
    dependencies = [("inventory", "0007_targets")]

    operations = [
        *(
            migrations.RunSQL(FILL.format(table=table, kind=kind), migrations.RunSQL.noop)
            for kind, table in TABLES.items()
        ),
        migrations.RunSQL("SET CONSTRAINTS ALL IMMEDIATE", migrations.RunSQL.noop),
        migrations.RunSQL([KEEP, GO], migrations.RunSQL.noop),
        *(
            migrations.RunSQL(GUARD.format(table=table), migrations.RunSQL.noop)
            for table in TABLES.values()
        ),
    ]

"""A row that plans and results may name keeps its target and is deleted together with it.

A row that was read before it had a target and is saved afterwards leaves the target as it is.
"""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations

TABLES = (
    "inventory_disk",
    "inventory_directory",
    "inventory_pool",
    "inventory_hostpair",
    "inventory_targetgroup",
)
FUNCTIONS = """
CREATE FUNCTION inventory_target_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.target_id := OLD.target_id;
    RETURN NEW;
END $$;
CREATE FUNCTION inventory_target_go() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM inventory_target WHERE id = OLD.target_id;
    RETURN NULL;
END $$;
"""
NO_FUNCTIONS = "DROP FUNCTION inventory_target_keep(); DROP FUNCTION inventory_target_go();"
TRIGGERS = """
CREATE TRIGGER target_keep BEFORE UPDATE ON {table} FOR EACH ROW
    WHEN (OLD.target_id IS NOT NULL AND NEW.target_id IS DISTINCT FROM OLD.target_id)
    EXECUTE FUNCTION inventory_target_keep();
CREATE TRIGGER target_go AFTER DELETE ON {table} FOR EACH ROW
    WHEN (OLD.target_id IS NOT NULL) EXECUTE FUNCTION inventory_target_go();
"""
NO_TRIGGERS = "DROP TRIGGER target_keep ON {table}; DROP TRIGGER target_go ON {table};"


class Migration(migrations.Migration):
    dependencies: ClassVar = [("inventory", "0001_initial")]

    operations: ClassVar = [
        migrations.RunSQL(FUNCTIONS, NO_FUNCTIONS),
        *(
            migrations.RunSQL(TRIGGERS.format(table=table), NO_TRIGGERS.format(table=table))
            for table in TABLES
        ),
    ]

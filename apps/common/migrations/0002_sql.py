"""The extension for indexes of parts of names, functions, and the row of versions."""

from __future__ import annotations

from typing import ClassVar

from django.apps.registry import Apps
from django.contrib.postgres.operations import TrigramExtension
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

# The application does not own the tables, and PostgreSQL 14 to 16 have no MAINTAIN privilege.
# SKIP_LOCKED: a table that is being changed or counted by somebody else is not waited for.
TABLE_ANALYZE = """
CREATE FUNCTION table_analyze(wanted regclass) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM pg_class WHERE oid = wanted AND relkind = 'r'
            AND relnamespace = 'public'::regnamespace
    ) THEN
        RAISE EXCEPTION '% is no table of benchlab', wanted
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    EXECUTE format('ANALYZE (SKIP_LOCKED) %s', wanted);
END $$
"""

# Of the indexes of character pairs (apps.common.database.character_pairs).
CHARACTER_PAIRS = """
CREATE FUNCTION character_pairs(text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$
    SELECT CASE WHEN octet_length($1) = length($1) THEN '{}'::text[] ELSE (
        SELECT coalesce(array_agg(DISTINCT pair), '{}'::text[])
        FROM (
            SELECT one || lead(one) OVER (ORDER BY place) AS pair
            FROM unnest(string_to_array(upper($1), NULL)) WITH ORDINALITY AS single (one, place)
        ) AS pairs
        WHERE octet_length(pair) > length(pair)
    ) END
$$
"""


def row_of_versions_create(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    apps.get_model("common", "ResultsVersion").objects.create(pk=1)


class Migration(migrations.Migration):
    dependencies: ClassVar = [("common", "0001_initial")]
    run_before: ClassVar = [("plans", "0001_initial"), ("runs", "0001_initial")]

    operations: ClassVar = [
        TrigramExtension(),
        migrations.RunSQL(TABLE_ANALYZE, "DROP FUNCTION table_analyze(regclass)"),
        migrations.RunSQL(CHARACTER_PAIRS, "DROP FUNCTION character_pairs(text)"),
        migrations.RunPython(row_of_versions_create, migrations.RunPython.noop),
    ]

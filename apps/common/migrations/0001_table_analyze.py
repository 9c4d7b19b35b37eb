"""The owner of the tables lets the application count them: it may not ANALYZE what it does not own,
and only PostgreSQL 17 has a privilege for it. The function takes tables of benchlab's own schema
and can do nothing else with them.
"""

from typing import ClassVar

from django.db import migrations

MAKE = """
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
    -- A table that is being changed or counted by somebody else is not waited for.
    EXECUTE format('ANALYZE (SKIP_LOCKED) %s', wanted);
END $$
"""


class Migration(migrations.Migration):
    dependencies: ClassVar = []

    operations: ClassVar = [
        migrations.RunSQL(MAKE, "DROP FUNCTION table_analyze(regclass)"),
    ]

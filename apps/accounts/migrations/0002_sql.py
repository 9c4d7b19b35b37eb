"""Rows of the audit record are added only, whatever a program with the application's rights sends.

Superusers are let through: they could drop the trigger, and tests empty tables. So could the
owner of the table, which is why the application is another role (docs/operations/install.md).
"""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations

AUDIT_STAYS = """
CREATE FUNCTION accounts_audit_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
        IF TG_OP = 'UPDATE' THEN RETURN NEW; END IF;
        RETURN OLD;
    END IF;
    -- A user who is deleted leaves the acts and their name.
    IF TG_OP = 'UPDATE' THEN
        IF NEW.user_id IS NULL AND to_jsonb(NEW) - 'user_id' = to_jsonb(OLD) - 'user_id' THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION 'The audit record is only added to.' USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER accounts_audit_stays BEFORE UPDATE OR DELETE ON accounts_auditentry
    FOR EACH ROW EXECUTE FUNCTION accounts_audit_stays();
CREATE TRIGGER accounts_audit_stays_whole BEFORE TRUNCATE ON accounts_auditentry
    FOR EACH STATEMENT EXECUTE FUNCTION accounts_audit_stays();
"""
NO_AUDIT_STAYS = """
DROP TRIGGER accounts_audit_stays ON accounts_auditentry;
DROP TRIGGER accounts_audit_stays_whole ON accounts_auditentry;
DROP FUNCTION accounts_audit_stays();
"""


class Migration(migrations.Migration):
    dependencies: ClassVar = [("accounts", "0001_initial")]

    operations: ClassVar = [migrations.RunSQL(AUDIT_STAYS, NO_AUDIT_STAYS)]

"""Audit entries are only added, whatever a program with the application's rights sends.

Superusers are let through: they could drop the trigger, and tests empty tables. The owner of the
table may delete entries older than 12 months; it could drop the trigger, too, which is why the
application is another role (docs/operations/install.md). That role deletes old entries through
accounts_audit_prune(), which runs as the owner and adds an entry about itself.
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
    IF TG_OP = 'DELETE' THEN
        IF OLD.timestamp < now() - interval '12 months' AND current_user = (
            SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = TG_RELID
        ) THEN
            RETURN OLD;
        END IF;
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
AUDIT_PRUNE = """
CREATE FUNCTION accounts_audit_prune(before timestamptz) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    pruned bigint;
BEGIN
    IF before > now() - interval '12 months' THEN
        RAISE EXCEPTION 'Audit entries are kept for at least 12 months.'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    DELETE FROM accounts_auditentry WHERE timestamp < before;
    GET DIAGNOSTICS pruned = ROW_COUNT;
    IF pruned > 0 THEN
        INSERT INTO accounts_auditentry
            (timestamp, username, address, action, object_type, object_id, label, detail)
        VALUES (now(), 'benchlab', '', 'prune', 'audit record', '', '',
            jsonb_build_object('entries', pruned, 'before', before));
    END IF;
    RETURN pruned;
END $$;
"""
NO_AUDIT_PRUNE = "DROP FUNCTION accounts_audit_prune(timestamptz);"
NO_AUDIT_STAYS = """
DROP TRIGGER accounts_audit_stays ON accounts_auditentry;
DROP TRIGGER accounts_audit_stays_whole ON accounts_auditentry;
DROP FUNCTION accounts_audit_stays();
"""


class Migration(migrations.Migration):
    dependencies: ClassVar = [("accounts", "0001_initial")]

    operations: ClassVar = [
        migrations.RunSQL(AUDIT_STAYS, NO_AUDIT_STAYS),
        migrations.RunSQL(AUDIT_PRUNE, NO_AUDIT_PRUNE),
    ]

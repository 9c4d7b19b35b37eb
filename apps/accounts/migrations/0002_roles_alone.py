"""The role alone says what a user may do, and Django's administration pages are gone."""

from django.db import migrations

# What was done on those pages stays known: its log goes into the audit record before it is dropped.
KEEP_LOG = """
DO $$ BEGIN
IF to_regclass('django_admin_log') IS NOT NULL THEN
    INSERT INTO accounts_auditentry
        (at, user_id, username, address, verb, noun, noun_id, label, detail)
    SELECT log.action_time, log.user_id, who.username, '',
        CASE log.action_flag WHEN 1 THEN 'create' WHEN 2 THEN 'change' ELSE 'delete' END,
        coalesce(kind.model, ''), left(coalesce(log.object_id, ''), 64),
        log.object_repr, jsonb_build_object('on', 'administration pages', 'said', log.change_message)
    FROM django_admin_log log
        JOIN accounts_user who ON who.id = log.user_id
        LEFT JOIN django_content_type kind ON kind.id = log.content_type_id
    ORDER BY log.action_time;
    DROP TABLE django_admin_log;
END IF;
END $$
"""
# Who had every right by Django's flag keeps it by the role.
KEEP_RIGHTS = "UPDATE accounts_user SET role = 'admin' WHERE is_superuser"


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial")]
    operations = [
        migrations.RunSQL(KEEP_LOG, migrations.RunSQL.noop),
        migrations.RunSQL(KEEP_RIGHTS, migrations.RunSQL.noop),
        # PostgreSQL alters no table with checks waiting for the end of the transaction.
        migrations.RunSQL("SET CONSTRAINTS ALL IMMEDIATE", migrations.RunSQL.noop),
        migrations.RemoveField("user", "groups"),
        migrations.RemoveField("user", "user_permissions"),
        migrations.RemoveField("user", "is_staff"),
        migrations.RemoveField("user", "is_superuser"),
        migrations.RunSQL("SET CONSTRAINTS ALL DEFERRED", migrations.RunSQL.noop),
    ]

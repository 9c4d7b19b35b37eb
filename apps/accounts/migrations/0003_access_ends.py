"""Sessions can be ended for good, every token ends, and pauses are counted by an index."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_roles_alone")]
    operations = [
        migrations.AddField(
            "user", "session_epoch", models.PositiveIntegerField(default=0, editable=False)
        ),
        migrations.RunSQL(
            "UPDATE accounts_apitoken SET expiry = now() + interval '365 days' WHERE expiry IS NULL",
            migrations.RunSQL.noop,
        ),
        migrations.AlterField(
            "apitoken", "expiry", models.DateTimeField(verbose_name="valid until")
        ),
        migrations.AddIndex(
            "auditentry",
            models.Index(fields=["verb", "username", "at"], name="accounts_audit_by_act"),
        ),
    ]

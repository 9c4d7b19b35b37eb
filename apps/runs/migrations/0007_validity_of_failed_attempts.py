"""An attempt that did not succeed has no valid figures: until now its row said that it had."""

from django.db import migrations


def not_valid(apps, schema_editor):
    ended = ["failed", "cancelled", "lost", "unproven"]
    apps.get_model("runs", "Attempt").objects.filter(state__in=ended, valid=True).update(valid=False)


class Migration(migrations.Migration):

    dependencies = [
        ("runs", "0006_since_when"),
    ]

    operations = [
        migrations.RunPython(not_valid, migrations.RunPython.noop),
    ]

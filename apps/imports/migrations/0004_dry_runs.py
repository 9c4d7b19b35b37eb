"""Imports that are only looked at."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('imports', '0003_split_texts'),
    ]

    operations = [
        migrations.AddField(
            model_name='import',
            name='dry_run',
            field=models.BooleanField(default=False),
        ),
    ]

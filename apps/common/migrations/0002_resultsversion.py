import uuid

from django.db import migrations, models


def row_create(apps, schema_editor):
    apps.get_model("common", "ResultsVersion").objects.create(pk=1)


class Migration(migrations.Migration):

    dependencies = [
        ('common', '0001_table_analyze'),
    ]

    operations = [
        migrations.CreateModel(
            name='ResultsVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('results', models.BigIntegerField(default=0)),
                ('names', models.BigIntegerField(default=0)),
                ('epoch', models.UUIDField(default=uuid.uuid4)),
            ],
        ),
        migrations.RunPython(row_create, migrations.RunPython.noop),
    ]

import uuid

from django.db import migrations, models


def mark(apps, _editor):
    """Now, outside of any work: a mark made and undone with a transaction would stay in the bucket."""
    apps.get_model("runs", "StoreMark").objects.create()


class Migration(migrations.Migration):
    dependencies = [("runs", "0016_states_go_forward")]

    operations = [
        migrations.CreateModel(
            name="StoreMark",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("token", models.UUIDField(default=uuid.uuid4, editable=False)),
            ],
        ),
        migrations.AlterField(
            model_name="blob",
            name="store",
            field=models.CharField(choices=[("postgresql", "PostgreSQL"), ("files", "files"), ("s3", "S3")], max_length=12),
        ),
        migrations.RunPython(mark, migrations.RunPython.noop),
    ]

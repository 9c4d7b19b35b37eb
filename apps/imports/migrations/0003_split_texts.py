"""Texts that hold several tools' results, and the files cut from them."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("imports", "0002_explicit_names"),
    ]

    operations = [
        migrations.AddField(
            model_name="importfile",
            name="cut_from",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="pieces",
                to="imports.importfile",
            ),
        ),
        migrations.AddField(
            model_name="importfile",
            name="lines",
            field=models.JSONField(default=list),
        ),
        migrations.AlterField(
            model_name="importfile",
            name="state",
            field=models.CharField(
                choices=[
                    ("waiting", "not read yet"),
                    ("understood", "understood"),
                    ("not_understood", "not understood"),
                    ("left_out", "left out"),
                    ("split", "split"),
                ],
                default="waiting",
                max_length=16,
            ),
        ),
    ]

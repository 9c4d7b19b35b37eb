"""Pages of all results of a workload or under a tuning, newest first, are read off an index however
many there are.
"""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("results", "0021_series_of_a_run"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="figure",
            index=models.Index(fields=["workload", "measurement"], name="figures_of_a_workload"),
        ),
        migrations.AddIndex(
            model_name="figure",
            index=models.Index(
                fields=["tuning", "measurement"],
                condition=models.Q(tuning__isnull=False),
                name="figures_under_a_tuning",
            ),
        ),
    ]

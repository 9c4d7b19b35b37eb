from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('results', '0017_series_of_hosts'),
        ('runs', '0034_attempts_that_do_not_count'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='measurement',
            index=models.Index(condition=models.Q(('part', ''), ('valid', False)), fields=['case'], name='wholes_not_valid_by_case'),
        ),
    ]

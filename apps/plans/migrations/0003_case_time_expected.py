from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('plans', '0002_case_time_created_at'),
    ]

    operations = [
        migrations.AddField(
            model_name='casetime',
            name='expected',
            field=models.FloatField(default=0.0),
        ),
    ]

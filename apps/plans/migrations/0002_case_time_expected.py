from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('plans', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='casetime',
            name='expected',
            field=models.FloatField(default=0.0),
        ),
    ]

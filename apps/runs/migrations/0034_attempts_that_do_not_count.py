from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('runs', '0033_decided_between_others'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='attempt',
            index=models.Index(condition=models.Q(('state', 'succeeded'), ('valid', False)), fields=['case'], name='doubtful_attempts_by_case'),
        ),
    ]

import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0002_sql'),
        ('plans', '0003_case_time_expected'),
        ('runs', '0002_approvals'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='run',
            name='forecast_start_at',
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='run',
            name='paused_at',
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='run',
            name='priority',
            field=models.SmallIntegerField(choices=[(0, 'low'), (1, 'normal'), (2, 'high')], default=1, verbose_name='priority'),
        ),
        migrations.AddField(
            model_name='run',
            name='waiting_since',
            field=models.DateTimeField(default=django.utils.timezone.now, editable=False),
        ),
        migrations.AddField(
            model_name='run',
            name='yields_at',
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AddConstraint(
            model_name='run',
            constraint=models.CheckConstraint(condition=models.Q(('priority__in', [0, 1, 2])), name='run_has_a_known_priority'),
        ),
    ]

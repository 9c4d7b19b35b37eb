
import django.contrib.postgres.fields
import django.core.validators
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0002_sql'),
        ('plans', '0001_initial'),
        ('runs', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='WebhookRate',
            fields=[
                ('digest', models.CharField(max_length=64, primary_key=True, serialize=False)),
                ('sent_at', django.contrib.postgres.fields.ArrayField(base_field=models.DateTimeField(), default=list, size=None)),
                ('updated_at', models.DateTimeField(auto_now=True)),
            ],
        ),
        migrations.CreateModel(
            name='Alert',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('updated_at', models.DateTimeField(auto_now=True, verbose_name='changed')),
                ('name', models.CharField(max_length=120, verbose_name='name')),
                ('enabled', models.BooleanField(default=True, verbose_name='enabled')),
                ('stored_query', models.JSONField(editable=False, null=True)),
                ('on_ended', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('succeeded', 'succeeded'), ('failed', 'failed'), ('cancelled', 'cancelled'), ('lost', 'lost')], max_length=12), blank=True, default=list, size=None, verbose_name='a run ended')),
                ('only_worse', models.BooleanField(default=False, verbose_name='only if something is worse')),
                ('on_change', models.BooleanField(default=True, verbose_name='a level changed, or an outlier appeared')),
                ('on_expectation_missed', models.BooleanField(default=True, verbose_name='an expectation was missed')),
                ('on_failed', models.BooleanField(default=True, verbose_name='a run failed or was lost')),
                ('on_unhealthy', models.BooleanField(default=False, verbose_name='a host is unhealthy')),
                ('on_booking_begin', models.BooleanField(default=False, verbose_name='a booking begins')),
                ('on_booking_end', models.BooleanField(default=False, verbose_name='a booking ends within a day')),
                ('on_acceptance', models.BooleanField(default=False, verbose_name='an acceptance of drives ended')),
                ('on_approval', models.BooleanField(default=False, verbose_name='a run waits for an approval')),
                ('mail', models.TextField(blank=True, verbose_name='e-mail to')),
                ('webhook', models.CharField(blank=True, choices=[('', 'none'), ('generic', 'generic JSON, signed'), ('slack', 'Slack'), ('teams', 'Microsoft Teams'), ('dingtalk', 'DingTalk'), ('wecom', 'WeCom'), ('feishu', 'Feishu, Lark')], max_length=8, verbose_name='webhook')),
                ('webhook_address', models.BinaryField(null=True)),
                ('webhook_secret', models.BinaryField(null=True)),
                ('webhook_host', models.CharField(blank=True, editable=False, max_length=253)),
                ('quiet_from', models.PositiveSmallIntegerField(blank=True, null=True, validators=[django.core.validators.MaxValueValidator(23)], verbose_name='quiet from hour')),
                ('quiet_to', models.PositiveSmallIntegerField(blank=True, null=True, validators=[django.core.validators.MaxValueValidator(23)], verbose_name='quiet to hour')),
                ('quiet_zone', models.CharField(default='UTC', max_length=64, verbose_name='time zone of quiet hours')),
                ('evaluated_until', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('evaluated_ends', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=60), blank=True, default=list, editable=False, size=None)),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='owner')),
                ('plan', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='plans.testplan', verbose_name='plan')),
                ('run', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='runs.run', verbose_name='run')),
                ('run_team', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.team', verbose_name='runs of the team')),
                ('team', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='accounts.team', verbose_name='team')),
            ],
            options={
                'ordering': ['-id'],
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='AlertIncident',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=300)),
                ('firing_since', models.DateTimeField(default=django.utils.timezone.now)),
                ('resolved_at', models.DateTimeField(null=True)),
                ('alert', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='incidents', to='alerts.alert')),
            ],
        ),
        migrations.CreateModel(
            name='AlertNotification',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(blank=True, max_length=120)),
                ('path', models.CharField(blank=True, max_length=200)),
                ('kind', models.CharField(choices=[('causes', 'causes'), ('ended', 'end of a run'), ('notice', 'notice to a user')], default='causes', max_length=8)),
                ('text_lines', models.JSONField(default=list)),
                ('excluded_mail', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=320), blank=True, default=list, size=None)),
                ('excludes_webhook', models.BooleanField(default=False)),
                ('state', models.CharField(choices=[('waiting', 'waiting'), ('sent', 'sent'), ('failed', 'failed')], default='waiting', max_length=8)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('next_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('sent_at', models.DateTimeField(null=True)),
                ('delivered_to', models.JSONField(default=list)),
                ('problem', models.TextField(blank=True)),
                ('refusal', models.TextField(blank=True)),
                ('alert', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='notifications', to='alerts.alert')),
                ('run', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='runs.run')),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.AddConstraint(
            model_name='alert',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('plan__isnull', True), ('run__isnull', True), ('run_team__isnull', True)), models.Q(('run__isnull', True), ('run_team__isnull', True), ('stored_query__isnull', True)), models.Q(('plan__isnull', True), ('run_team__isnull', True), ('stored_query__isnull', True)), models.Q(('plan__isnull', True), ('run__isnull', True), ('stored_query__isnull', True)), _connector='OR'), name='alert_has_one_scope'),
        ),
        migrations.AddConstraint(
            model_name='alertincident',
            constraint=models.UniqueConstraint(fields=('alert', 'key'), name='uniq_incident_per_alert'),
        ),
        migrations.AddIndex(
            model_name='alertnotification',
            index=models.Index(condition=models.Q(('state', 'waiting')), fields=['next_at'], name='notifications_waiting'),
        ),
        migrations.AddConstraint(
            model_name='alertnotification',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('alert__isnull', False), ('user__isnull', True)), models.Q(('alert__isnull', True), ('user__isnull', False)), _connector='OR'), name='notification_is_of_an_alert_or_for_a_user'),
        ),
        migrations.AddConstraint(
            model_name='alertnotification',
            constraint=models.UniqueConstraint(condition=models.Q(('user__isnull', False)), fields=('user', 'key'), name='one_notice_per_user_and_key'),
        ),
    ]


import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0002_sql'),
        ('inventory', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Booking',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('updated_at', models.DateTimeField(auto_now=True, verbose_name='changed')),
                ('kind', models.CharField(choices=[('booking', 'booking'), ('maintenance', 'maintenance window')], default='booking', max_length=12, verbose_name='kind')),
                ('reason', models.CharField(max_length=200, verbose_name='reason')),
                ('starts_at', models.DateTimeField(verbose_name='from')),
                ('ends_at', models.DateTimeField(verbose_name='to')),
                ('weekly', models.BooleanField(default=False, verbose_name='each week')),
                ('time_zone', models.CharField(default='UTC', max_length=64, verbose_name='time zone')),
                ('repeat_until', models.DateField(blank=True, null=True, verbose_name='last day')),
                ('ended_at', models.DateTimeField(editable=False, null=True)),
                ('extends', models.BooleanField(default=False, verbose_name='extend while nobody waits')),
                ('extended_from', models.DateTimeField(editable=False, null=True)),
                ('was_requested', models.BooleanField(default=False, editable=False)),
                ('hosts', models.ManyToManyField(blank=True, related_name='bookings', to='inventory.host', verbose_name='hosts')),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='owner')),
                ('pools', models.ManyToManyField(blank=True, related_name='bookings', to='inventory.pool', verbose_name='pools')),
                ('team', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='accounts.team', verbose_name='team')),
            ],
            options={
                'ordering': ['-id'],
                'abstract': False,
                'indexes': [models.Index(fields=['ends_at'], name='bookings_by_end')],
                'constraints': [models.CheckConstraint(condition=models.Q(('ends_at__gt', models.F('starts_at'))), name='check_booking_end_after_start'), models.CheckConstraint(condition=models.Q(('kind__in', ['booking', 'maintenance'])), name='check_booking_kind'), models.CheckConstraint(condition=models.Q(('weekly', False), ('kind', 'maintenance'), _connector='OR'), name='check_booking_weekly_is_maintenance'), models.CheckConstraint(condition=models.Q(('repeat_until__isnull', True), ('weekly', True), _connector='OR'), name='check_booking_repeat_until_is_weekly'), models.CheckConstraint(condition=models.Q(('extends', False), ('kind', 'booking'), _connector='OR'), name='check_booking_extends_is_no_maintenance')],
            },
        ),
        migrations.CreateModel(
            name='BookingRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('updated_at', models.DateTimeField(auto_now=True, verbose_name='changed')),
                ('hours', models.PositiveSmallIntegerField(verbose_name='hours')),
                ('reason', models.CharField(max_length=200, verbose_name='reason')),
                ('waiting_since', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('blocker', models.TextField(blank=True, editable=False)),
                ('hosts', models.ManyToManyField(blank=True, related_name='+', to='inventory.host', verbose_name='hosts')),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='owner')),
                ('pools', models.ManyToManyField(blank=True, related_name='+', to='inventory.pool', verbose_name='pools')),
                ('team', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='accounts.team', verbose_name='team')),
            ],
            options={
                'ordering': ['-id'],
                'abstract': False,
                'constraints': [models.CheckConstraint(condition=models.Q(('hours__gte', 1)), name='check_booking_request_hours')],
            },
        ),
    ]

import apps.common.database.character_pairs
import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.contrib.postgres.search
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
        ('blobs', '0001_initial'),
        ('inventory', '0001_initial'),
        ('plans', '0001_initial'),
        ('tuning', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='ApprovalPolicy',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('updated_at', models.DateTimeField(auto_now=True, verbose_name='changed')),
                ('name', models.CharField(max_length=80, unique=True, verbose_name='name')),
                ('enabled', models.BooleanField(default=True, verbose_name='enabled')),
                ('host_tag', models.SlugField(allow_unicode=True, blank=True, max_length=40, verbose_name='tag of a host')),
                ('on_wipe', models.BooleanField(default=False, verbose_name='writing to disks')),
                ('on_ceph', models.BooleanField(default=False, verbose_name='changing settings of a Ceph cluster')),
                ('over_terabytes', models.FloatField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(0.0)], verbose_name='writing more than (TB)')),
                ('over_hours', models.FloatField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(0.0)], verbose_name='lasting longer than (hours)')),
                ('team', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='accounts.team', verbose_name='runs of the team')),
            ],
            options={
                'ordering': ['name'],
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Case',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('sequence', models.PositiveIntegerField()),
                ('block', models.PositiveIntegerField(default=0)),
                ('repeat', models.PositiveIntegerField(default=1)),
                ('purpose', models.CharField(choices=[('measure', 'measures'), ('precondition', 'preconditioning'), ('transition', 'before the steady state')], db_default='measure', default='measure', max_length=12)),
                ('step_name', models.CharField(blank=True, max_length=80)),
                ('expected_seconds', models.FloatField(default=0.0)),
                ('state', models.CharField(choices=[('pending', 'waiting'), ('running', 'running'), ('succeeded', 'succeeded'), ('failed', 'failed'), ('cancelled', 'cancelled'), ('lost', 'lost'), ('unconfirmed', 'ended (unconfirmed)'), ('skipped', 'skipped')], default='pending', max_length=12)),
                ('reason', models.TextField(blank=True)),
                ('failure_cause', models.CharField(blank=True, choices=[('plan', 'test plan'), ('host', 'host'), ('hardware', 'hardware'), ('tool', 'tool'), ('benchlab', 'benchlab')], max_length=10)),
                ('workload', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='cases', to='plans.workload')),
            ],
            options={
                'ordering': ['run', 'sequence'],
            },
        ),
        migrations.CreateModel(
            name='Attempt',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('number', models.PositiveIntegerField(default=1)),
                ('state', models.CharField(choices=[('claimed', 'claimed'), ('preflight', 'checking the host'), ('running', 'running'), ('collecting', 'collecting'), ('parsing', 'reading the output'), ('succeeded', 'succeeded'), ('failed', 'failed'), ('cancelled', 'cancelled'), ('lost', 'lost'), ('unconfirmed', 'ended (unconfirmed)')], default='claimed', max_length=12)),
                ('phase', models.CharField(blank=True, max_length=20)),
                ('phase_since', models.DateTimeField(blank=True, null=True)),
                ('reason', models.TextField(blank=True)),
                ('failure_cause', models.CharField(blank=True, choices=[('plan', 'test plan'), ('host', 'host'), ('hardware', 'hardware'), ('tool', 'tool'), ('benchlab', 'benchlab')], max_length=10)),
                ('valid', models.BooleanField(default=True)),
                ('invalid_reason', models.TextField(blank=True)),
                ('warnings', models.JSONField(default=list)),
                ('argv', models.JSONField(default=list)),
                ('imported', models.JSONField(blank=True, null=True)),
                ('early_end', models.JSONField(default=dict)),
                ('background', models.JSONField(blank=True, null=True)),
                ('tool_version', models.CharField(blank=True, max_length=40)),
                ('host_files_removed_at', models.DateTimeField(blank=True, null=True)),
                ('contact_at', models.DateTimeField(blank=True, null=True)),
                ('contact_lost_since', models.DateTimeField(blank=True, null=True)),
                ('unresponsive_hosts', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), default=list, size=None)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('facts', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='attempts', to='inventory.hostfacts')),
                ('case', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='attempts', to='runs.case')),
            ],
            options={
                'ordering': ['case', 'number'],
            },
        ),
        migrations.CreateModel(
            name='Heartbeat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('component', models.CharField(choices=[('engine', 'engine'), ('worker', 'worker'), ('beat', 'beat')], max_length=10)),
                ('process_name', models.CharField(max_length=120)),
                ('started_at', models.DateTimeField()),
                ('last_seen_at', models.DateTimeField()),
            ],
            options={
                'ordering': ['component', '-last_seen_at'],
                'constraints': [models.UniqueConstraint(fields=('component', 'process_name'), name='uniq_heartbeat_process')],
            },
        ),
        migrations.CreateModel(
            name='Run',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('updated_at', models.DateTimeField(auto_now=True, verbose_name='changed')),
                ('name', models.CharField(max_length=120, verbose_name='name')),
                ('spec', models.JSONField(default=dict)),
                ('seed', models.BigIntegerField(editable=False, null=True)),
                ('advice_not_taken', models.JSONField(default=list, editable=False)),
                ('note', models.TextField(blank=True, verbose_name='note')),
                ('tags', django.contrib.postgres.fields.ArrayField(base_field=models.SlugField(allow_unicode=True, max_length=40), blank=True, default=list, size=None, verbose_name='tags')),
                ('origin', models.CharField(choices=[('launched', 'run by benchlab'), ('imported', 'imported')], default='launched', max_length=8)),
                ('state', models.CharField(choices=[('queued', 'queued'), ('running', 'running'), ('succeeded', 'succeeded'), ('failed', 'failed'), ('cancelled', 'cancelled'), ('lost', 'lost')], default='queued', max_length=12)),
                ('reason', models.TextField(blank=True)),
                ('idempotency_key', models.CharField(blank=True, max_length=80, null=True)),
                ('cancel_requested_at', models.DateTimeField(blank=True, null=True)),
                ('archived_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('priority', models.SmallIntegerField(choices=[(0, 'low'), (1, 'normal'), (2, 'high')], default=1, verbose_name='priority')),
                ('waiting_since', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('paused_at', models.DateTimeField(editable=False, null=True)),
                ('yields_at', models.DateTimeField(editable=False, null=True)),
                ('forecast_start_at', models.DateTimeField(editable=False, null=True)),
                ('queued_at', models.DateTimeField(auto_now_add=True)),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('worker', models.CharField(blank=True, max_length=120)),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('fence', models.BigIntegerField(default=0)),
                ('case_count', models.PositiveIntegerField(default=0)),
                ('expected_seconds', models.FloatField(default=0.0)),
                ('results_version', models.BigIntegerField(default=0, editable=False)),
                ('cancel_requested_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='owner')),
                ('plan', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='runs', to='plans.testplan')),
                ('team', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='accounts.team', verbose_name='team')),
                ('wipe_confirmed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-id'],
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Claim',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('resource', models.CharField(max_length=420)),
                ('taken_at', models.DateTimeField(auto_now_add=True)),
                ('released_at', models.DateTimeField(blank=True, null=True)),
                ('run', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='claims', to='runs.run')),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.AddField(
            model_name='case',
            name='run',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='cases', to='runs.run'),
        ),
        migrations.CreateModel(
            name='RunApproval',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(max_length=64)),
                ('effects', models.JSONField(default=dict)),
                ('policies', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=80), default=list, size=None)),
                ('state', models.CharField(choices=[('waiting', 'waiting'), ('approved', 'approved'), ('refused', 'refused'), ('void', 'void')], default='waiting', max_length=8)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('decided_at', models.DateTimeField(null=True)),
                ('note', models.TextField(blank=True)),
                ('decided_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('reused', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='runs.runapproval')),
                ('run', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='approvals', to='runs.run')),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='RunBackground',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveIntegerField()),
                ('value', models.CharField(max_length=400)),
                ('tool', models.CharField(max_length=20)),
                ('params', models.JSONField()),
                ('label', models.CharField(max_length=300)),
                ('settle_seconds', models.FloatField(default=0.0)),
                ('run', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='backgrounds', to='runs.run')),
            ],
            options={
                'ordering': ['run', 'position'],
            },
        ),
        migrations.AddField(
            model_name='case',
            name='background',
            field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='cases', to='runs.runbackground'),
        ),
        migrations.CreateModel(
            name='RunEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('occurred_at', models.DateTimeField(auto_now_add=True)),
                ('kind', models.CharField(max_length=30)),
                ('text', models.TextField()),
                ('attempt', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='events', to='runs.attempt')),
                ('case', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='events', to='runs.case')),
                ('run', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='events', to='runs.run')),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='RunExtension',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveIntegerField()),
                ('kind', models.CharField(choices=[('launch', 'launch'), ('repeats', 'repeats added'), ('until', 'blocks until precise enough'), ('rule', 'answer of a rule')], max_length=8)),
                ('rule', models.CharField(blank=True, max_length=20)),
                ('repeats', models.PositiveIntegerField(default=0)),
                ('precision_percent', models.FloatField(null=True)),
                ('max_hours', models.FloatField(null=True)),
                ('factor', models.CharField(blank=True, max_length=46)),
                ('first_block', models.PositiveIntegerField(default=0)),
                ('last_block', models.PositiveIntegerField(default=0)),
                ('cases', models.PositiveIntegerField(default=0)),
                ('reason', models.TextField(blank=True)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('run', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='extensions', to='runs.run')),
            ],
            options={
                'ordering': ['run', 'position'],
            },
        ),
        migrations.CreateModel(
            name='RunTarget',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveIntegerField()),
                ('kind', models.CharField(blank=True, max_length=20)),
                ('name', models.CharField(blank=True, max_length=500)),
                ('level', models.CharField(blank=True, default='', max_length=8)),
                ('run', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='targets', to='runs.run')),
                ('target', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='run_targets', to='inventory.target')),
            ],
            options={
                'ordering': ['run', 'position'],
            },
        ),
        migrations.CreateModel(
            name='RunExpectation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('step_name', models.CharField(blank=True, max_length=80)),
                ('position', models.PositiveIntegerField()),
                ('metric', models.CharField(max_length=40)),
                ('operation', models.CharField(blank=True, max_length=20)),
                ('direction', models.CharField(choices=[('least', 'at least'), ('most', 'at most')], max_length=5)),
                ('value', models.FloatField()),
                ('unit', models.CharField(blank=True, max_length=10)),
                ('tolerance', models.FloatField(default=0.0)),
                ('source', models.CharField(choices=[('own', 'asked for'), ('provider', 'promised by the provider'), ('model', "by the disk's model")], default='own', max_length=8)),
                ('bound', models.FloatField()),
                ('either', models.BooleanField(default=False)),
                ('workload', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='plans.workload')),
                ('run_target', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='expectations', to='runs.runtarget')),
            ],
            options={
                'ordering': ['run_target', 'workload', 'step_name', 'position'],
            },
        ),
        migrations.AddField(
            model_name='runbackground',
            name='run_target',
            field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='backgrounds', to='runs.runtarget'),
        ),
        migrations.AddField(
            model_name='case',
            name='run_target',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='cases', to='runs.runtarget'),
        ),
        migrations.CreateModel(
            name='RunTargetMember',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveIntegerField()),
                ('role', models.CharField(choices=[('client', 'client'), ('server', 'server'), ('osd_host', 'OSD host')], default='client', max_length=8)),
                ('host_name', models.CharField(blank=True, max_length=64)),
                ('kind', models.CharField(blank=True, max_length=20)),
                ('label', models.CharField(blank=True, max_length=500)),
                ('identity', models.CharField(blank=True, max_length=400)),
                ('size', models.BigIntegerField(null=True)),
                ('pool_layout', models.JSONField(null=True)),
                ('backing', models.JSONField(null=True)),
                ('host', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='inventory.host')),
                ('run_target', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='members', to='runs.runtarget')),
                ('target', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='memberships', to='inventory.target')),
            ],
            options={
                'ordering': ['run_target', 'position'],
            },
        ),
        migrations.CreateModel(
            name='RunTuning',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveIntegerField()),
                ('name', models.CharField(blank=True, max_length=80)),
                ('settings', models.JSONField(default=list)),
                ('settle_seconds', models.FloatField(default=0.0)),
                ('is_baseline', models.BooleanField(db_default=False, default=False)),
                ('run', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='tunings', to='runs.run')),
                ('tuning', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='in_runs', to='tuning.tuningprofile')),
            ],
            options={
                'ordering': ['run', 'position'],
            },
        ),
        migrations.AddField(
            model_name='case',
            name='requested_tuning',
            field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='cases_planned', to='runs.runtuning'),
        ),
        migrations.AddField(
            model_name='case',
            name='run_tuning',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='cases', to='runs.runtuning'),
        ),
        migrations.CreateModel(
            name='Artifact',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=420)),
                ('size', models.BigIntegerField()),
                ('sha256', models.CharField(max_length=64)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('removed_at', models.DateTimeField(blank=True, null=True)),
                ('removed_by', models.TextField(blank=True)),
                ('blob', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='artifacts', to='blobs.blob')),
                ('attempt', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='artifacts', to='runs.attempt')),
            ],
            options={
                'ordering': ['attempt', 'name'],
                'indexes': [models.Index(fields=['sha256'], name='artifacts_by_content')],
                'constraints': [models.UniqueConstraint(fields=('attempt', 'name'), name='one_artifact_per_name'), models.CheckConstraint(condition=models.Q(('blob__isnull', False), ('removed_at__isnull', False), _connector='OR'), name='artifacts_have_bytes_or_were_removed')],
            },
        ),
        migrations.CreateModel(
            name='AbandonedAttempt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('resources', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=420), default=list, size=None)),
                ('abandoned_at', models.DateTimeField(auto_now_add=True)),
                ('reason', models.TextField()),
                ('ended_at', models.DateTimeField(null=True)),
                ('confirmed', models.BooleanField(default=False)),
                ('confirmation_note', models.TextField(blank=True)),
                ('abandoned_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('ended_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('host', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='inventory.host')),
                ('attempt', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='abandonments', to='runs.attempt')),
            ],
            options={
                'ordering': ['id'],
                'indexes': [models.Index(condition=models.Q(('ended_at__isnull', True)), fields=['host'], name='abandoned_unconfirmed')],
                'constraints': [models.UniqueConstraint(fields=('attempt', 'host'), name='uniq_abandoned_attempt_host')],
            },
        ),
        migrations.CreateModel(
            name='AttemptJob',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('position', models.PositiveIntegerField(default=0)),
                ('name', models.CharField(blank=True, max_length=80)),
                ('stage', models.PositiveIntegerField(default=0)),
                ('role', models.CharField(default='client', max_length=10)),
                ('spec', models.JSONField()),
                ('launched', models.BooleanField(default=False)),
                ('removed_from_host', models.BooleanField(default=False)),
                ('clock_offset', models.FloatField(null=True)),
                ('clock_uncertainty', models.FloatField(null=True)),
                ('state', models.CharField(choices=[('open', 'not ended'), ('not_found', 'not on its host'), ('done', 'done'), ('refused', 'refused'), ('lost', 'lost'), ('invalid_response', 'invalid response')], default='open', max_length=16)),
                ('error', models.TextField(blank=True)),
                ('refusal', models.JSONField(null=True)),
                ('exit', models.JSONField(default=dict)),
                ('output_ranges', models.JSONField(default=dict)),
                ('attempt', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='jobs', to='runs.attempt')),
                ('host', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='inventory.host')),
            ],
            options={
                'ordering': ['attempt', 'position'],
                'indexes': [models.Index(condition=models.Q(('removed_from_host', False)), fields=['host'], name='jobs_a_host_may_know')],
                'constraints': [models.UniqueConstraint(fields=('attempt', 'position'), name='jobs_of_an_attempt_are_ordered'), models.UniqueConstraint(fields=('attempt', 'stage', 'host', 'role'), name='one_job_per_stage_host_and_role'), models.CheckConstraint(condition=models.Q(('state__in', ['open', 'not_found', 'done', 'refused', 'lost', 'invalid_response'])), name='job_has_a_known_state'), models.CheckConstraint(condition=models.Q(('role__in', ['client', 'server', 'osd_host', 'settings', 'background'])), name='job_has_a_known_role'), models.CheckConstraint(condition=models.Q(('exit', {}), ('state', 'done'), _connector='OR'), name='only_a_done_job_has_an_exit'), models.CheckConstraint(condition=models.Q(models.Q(('clock_offset__isnull', True), ('clock_uncertainty__isnull', True)), models.Q(('clock_offset__isnull', False), ('clock_uncertainty__gte', 0)), _connector='OR'), name='a_clock_has_an_uncertainty'), models.CheckConstraint(condition=models.Q(models.Q(('name', ''), _negated=True), ('pk', models.F('attempt_id')), _connector='OR'), name='the_only_job_is_the_attempts')],
            },
        ),
        migrations.AddIndex(
            model_name='attempt',
            index=models.Index(condition=models.Q(('state', 'succeeded'), ('valid', False)), fields=['case'], name='doubtful_attempts_by_case'),
        ),
        migrations.AddConstraint(
            model_name='attempt',
            constraint=models.UniqueConstraint(fields=('case', 'number'), name='attempts_are_numbered'),
        ),
        migrations.AddConstraint(
            model_name='attempt',
            constraint=models.UniqueConstraint(condition=models.Q(('state__in', ['succeeded', 'failed', 'cancelled', 'lost', 'unconfirmed']), _negated=True), fields=('case',), name='one_open_attempt_per_case'),
        ),
        migrations.AddConstraint(
            model_name='attempt',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['claimed', 'preflight', 'running', 'collecting', 'parsing', 'succeeded', 'failed', 'cancelled', 'lost', 'unconfirmed'])), name='attempt_has_a_known_state'),
        ),
        migrations.AddConstraint(
            model_name='attempt',
            constraint=models.CheckConstraint(condition=models.Q(('valid', False), models.Q(('state__in', ('failed', 'cancelled', 'lost', 'unconfirmed')), _negated=True), _connector='OR'), name='only_a_success_has_valid_figures'),
        ),
        migrations.AddConstraint(
            model_name='attempt',
            constraint=models.CheckConstraint(condition=models.Q(('failure_cause__in', ['', 'plan', 'host', 'hardware', 'tool', 'benchlab'])), name='attempt_failure_cause_known'),
        ),
        migrations.AddIndex(
            model_name='run',
            index=models.Index(condition=models.Q(('state__in', ['queued', 'running'])), fields=['lease_until'], name='runs_that_need_a_worker'),
        ),
        migrations.AddIndex(
            model_name='run',
            index=models.Index(fields=['plan', '-id'], name='runs_of_a_plan'),
        ),
        migrations.AddIndex(
            model_name='run',
            index=models.Index(fields=['state', '-id'], name='runs_by_state'),
        ),
        migrations.AddIndex(
            model_name='run',
            index=models.Index(fields=['origin', '-id'], name='runs_by_origin'),
        ),
        migrations.AddIndex(
            model_name='run',
            index=models.Index(fields=['queued_at'], name='runs_by_time'),
        ),
        migrations.AddIndex(
            model_name='run',
            index=django.contrib.postgres.indexes.GinIndex(django.contrib.postgres.indexes.OpClass(django.db.models.functions.text.Upper('name'), 'gin_trgm_ops'), name='runs_by_parts_of_name'),
        ),
        migrations.AddIndex(
            model_name='run',
            index=django.contrib.postgres.indexes.GinIndex(django.contrib.postgres.indexes.OpClass(django.db.models.functions.text.Upper('note'), 'gin_trgm_ops'), name='runs_by_parts_of_note'),
        ),
        migrations.AddIndex(
            model_name='run',
            index=django.contrib.postgres.indexes.GinIndex(django.contrib.postgres.search.SearchVector('note', config='english'), name='runs_by_words_of_note'),
        ),
        migrations.AddIndex(
            model_name='run',
            index=django.contrib.postgres.indexes.GinIndex(apps.common.database.character_pairs.CharacterPairs('name'), name='runs_by_pairs_of_name'),
        ),
        migrations.AddIndex(
            model_name='run',
            index=django.contrib.postgres.indexes.GinIndex(apps.common.database.character_pairs.CharacterPairs('note'), name='runs_by_pairs_of_note'),
        ),
        migrations.AddIndex(
            model_name='run',
            index=django.contrib.postgres.indexes.GinIndex(fields=['tags'], name='runs_by_tag'),
        ),
        migrations.AddConstraint(
            model_name='run',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['queued', 'running', 'succeeded', 'failed', 'cancelled', 'lost'])), name='run_has_a_known_state'),
        ),
        migrations.AddConstraint(
            model_name='run',
            constraint=models.CheckConstraint(condition=models.Q(('finished_at__isnull', True), ('state__in', ('succeeded', 'failed', 'cancelled', 'lost')), _connector='OR'), name='only_an_ended_run_has_an_end'),
        ),
        migrations.AddConstraint(
            model_name='run',
            constraint=models.CheckConstraint(condition=models.Q(('lease_until__isnull', True), models.Q(('state__in', ('succeeded', 'failed', 'cancelled', 'lost')), _negated=True), _connector='OR'), name='an_ended_run_has_no_worker'),
        ),
        migrations.AddConstraint(
            model_name='run',
            constraint=models.CheckConstraint(condition=models.Q(('priority__in', [0, 1, 2])), name='run_has_a_known_priority'),
        ),
        migrations.AddConstraint(
            model_name='run',
            constraint=models.UniqueConstraint(fields=('idempotency_key', 'owner'), name='uniq_run_idempotency_key_owner'),
        ),
        migrations.AddConstraint(
            model_name='claim',
            constraint=models.UniqueConstraint(condition=models.Q(('released_at__isnull', True)), fields=('resource',), name='one_owner_per_resource'),
        ),
        migrations.AddIndex(
            model_name='runapproval',
            index=models.Index(fields=['run', '-id'], name='approvals_of_a_run'),
        ),
        migrations.AddIndex(
            model_name='runapproval',
            index=models.Index(fields=['digest'], name='approvals_by_digest'),
        ),
        migrations.AddConstraint(
            model_name='runapproval',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'waiting')), fields=('run',), name='one_waiting_approval_per_run'),
        ),
        migrations.AddConstraint(
            model_name='runapproval',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['waiting', 'void']), models.Q(('decided_at__isnull', False), ('decided_by__isnull', False)), _connector='OR'), name='a_decided_approval_names_its_approver'),
        ),
        migrations.AddIndex(
            model_name='runevent',
            index=models.Index(fields=['run', 'id'], name='event_log_of_run'),
        ),
        migrations.AddConstraint(
            model_name='runextension',
            constraint=models.UniqueConstraint(fields=('run', 'position'), name='uniq_run_extension_position'),
        ),
        migrations.AddConstraint(
            model_name='runextension',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['launch', 'repeats', 'until', 'rule'])), name='extension_kind_known'),
        ),
        migrations.AddConstraint(
            model_name='runextension',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'launch'), _negated=True), ('position', 0), _connector='OR'), name='launch_is_first_extension'),
        ),
        migrations.AddConstraint(
            model_name='runextension',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'until'), _negated=True), models.Q(('precision_percent__isnull', False), models.Q(('factor', ''), _negated=True)), _connector='OR'), name='until_extension_has_limits'),
        ),
        migrations.AddConstraint(
            model_name='runextension',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'repeats'), _negated=True), models.Q(('by__isnull', False), ('repeats__gt', 0)), _connector='OR'), name='repeats_extension_has_user'),
        ),
        migrations.AddConstraint(
            model_name='runextension',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'rule'), _negated=True), models.Q(models.Q(('rule', ''), _negated=True), models.Q(('reason', ''), _negated=True)), _connector='OR'), name='rule_extension_has_reason'),
        ),
        migrations.AddIndex(
            model_name='runtarget',
            index=django.contrib.postgres.indexes.GinIndex(django.contrib.postgres.indexes.OpClass(django.db.models.functions.text.Upper('name'), 'gin_trgm_ops'), name='run_targets_by_parts_of_name'),
        ),
        migrations.AddConstraint(
            model_name='runtarget',
            constraint=models.UniqueConstraint(fields=('run', 'position'), name='run_targets_are_numbered'),
        ),
        migrations.AddConstraint(
            model_name='runtarget',
            constraint=models.UniqueConstraint(fields=('run', 'target'), name='a_run_names_a_target_once'),
        ),
        migrations.AddConstraint(
            model_name='runtarget',
            constraint=models.CheckConstraint(condition=models.Q(('target__isnull', True), models.Q(('kind', ''), _negated=True), _connector='OR'), name='a_known_target_has_a_kind'),
        ),
        migrations.AddConstraint(
            model_name='runexpectation',
            constraint=models.UniqueConstraint(fields=('run_target', 'workload', 'step_name', 'position'), name='expectations_are_numbered'),
        ),
        migrations.AddIndex(
            model_name='runbackground',
            index=models.Index(fields=['run_target'], name='backgrounds_on_a_target'),
        ),
        migrations.AddConstraint(
            model_name='runbackground',
            constraint=models.UniqueConstraint(fields=('run', 'position'), name='backgrounds_are_numbered'),
        ),
        migrations.AddIndex(
            model_name='runtargetmember',
            index=models.Index(fields=['host', 'run_target'], name='members_of_a_host'),
        ),
        migrations.AddIndex(
            model_name='runtargetmember',
            index=models.Index(fields=['target', 'run_target'], name='members_of_a_target'),
        ),
        migrations.AddIndex(
            model_name='runtargetmember',
            index=models.Index(condition=models.Q(('host_name', '')), fields=['host'], name='members_without_a_host_name'),
        ),
        migrations.AddConstraint(
            model_name='runtargetmember',
            constraint=models.UniqueConstraint(fields=('run_target', 'position'), name='members_are_numbered'),
        ),
        migrations.AddConstraint(
            model_name='runtargetmember',
            constraint=models.CheckConstraint(condition=models.Q(('role__in', ['client', 'server', 'osd_host'])), name='a_member_has_a_role'),
        ),
        migrations.AddConstraint(
            model_name='runtuning',
            constraint=models.UniqueConstraint(fields=('run', 'position'), name='run_tunings_are_numbered'),
        ),
        migrations.AddConstraint(
            model_name='runtuning',
            constraint=models.UniqueConstraint(fields=('run', 'tuning'), name='a_run_names_a_tuning_once'),
        ),
        migrations.AddConstraint(
            model_name='runtuning',
            constraint=models.UniqueConstraint(condition=models.Q(('is_baseline', True)), fields=('run',), name='a_run_has_one_baseline_tuning'),
        ),
        migrations.AddIndex(
            model_name='case',
            index=models.Index(fields=['run', '-id'], name='cases_of_a_run'),
        ),
        migrations.AddIndex(
            model_name='case',
            index=models.Index(fields=['workload', '-id'], name='newest_of_a_workload'),
        ),
        migrations.AddIndex(
            model_name='case',
            index=models.Index(fields=['run_target', '-id'], name='cases_on_a_target'),
        ),
        migrations.AddIndex(
            model_name='case',
            index=models.Index(fields=['run_tuning', '-id'], name='cases_under_a_tuning'),
        ),
        migrations.AddIndex(
            model_name='case',
            index=models.Index(condition=models.Q(('background__isnull', False)), fields=['background'], name='cases_beside_a_load'),
        ),
        migrations.AddIndex(
            model_name='case',
            index=models.Index(condition=models.Q(('state', 'succeeded'), _negated=True), fields=['state', '-id'], name='unusual_cases'),
        ),
        migrations.AddConstraint(
            model_name='case',
            constraint=models.UniqueConstraint(fields=('run', 'sequence'), name='uniq_case_sequence'),
        ),
        migrations.AddConstraint(
            model_name='case',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['pending', 'running', 'succeeded', 'failed', 'cancelled', 'lost', 'unconfirmed', 'skipped'])), name='case_has_a_known_state'),
        ),
        migrations.AddConstraint(
            model_name='case',
            constraint=models.CheckConstraint(condition=models.Q(('failure_cause', ''), models.Q(('failure_cause__in', ['plan', 'host', 'hardware', 'tool', 'benchlab']), ('state__in', ('failed', 'lost', 'unconfirmed'))), _connector='OR'), name='case_failure_cause_known'),
        ),
        migrations.AddConstraint(
            model_name='case',
            constraint=models.CheckConstraint(condition=models.Q(('purpose__in', ['measure', 'precondition', 'transition'])), name='case_has_a_known_purpose'),
        ),
    ]

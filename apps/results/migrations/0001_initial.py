import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
        ('inventory', '0001_initial'),
        ('plans', '0001_initial'),
        ('runs', '0001_initial'),
        ('tuning', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='AttemptCost',
            fields=[
                ('attempt', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='cost', serialize=False, to='runs.attempt')),
                ('wear_reason', models.TextField(blank=True)),
                ('energy_reason', models.TextField(blank=True)),
            ],
        ),
        migrations.CreateModel(
            name='Measurement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('operation', models.CharField(max_length=20, verbose_name='operation')),
                ('component', models.CharField(blank=True, max_length=200, verbose_name='component')),
                ('bandwidth', models.FloatField(null=True, verbose_name='bandwidth, bytes/s')),
                ('iops', models.FloatField(null=True, verbose_name='IOPS')),
                ('latency_min', models.FloatField(null=True)),
                ('latency_mean', models.FloatField(null=True, verbose_name='mean latency, ns')),
                ('latency_max', models.FloatField(null=True)),
                ('latency_stddev', models.FloatField(null=True)),
                ('latency_p50', models.FloatField(null=True)),
                ('latency_p95', models.FloatField(null=True)),
                ('latency_p99', models.FloatField(null=True)),
                ('latency_p999', models.FloatField(null=True)),
                ('latency_p9999', models.FloatField(null=True)),
                ('percentiles', models.JSONField(default=dict)),
                ('values', models.JSONField(default=dict)),
                ('valid', models.BooleanField(default=True)),
                ('invalid_reason', models.TextField(blank=True)),
                ('parser_version', models.PositiveIntegerField()),
                ('format', models.CharField(blank=True, max_length=20)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('attempt', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='measurements', to='runs.attempt')),
                ('case', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='measurements', to='runs.case')),
                ('member', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='measurements', to='runs.runtargetmember')),
                ('workload', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='measurements', to='plans.workload')),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='DisturbanceRecord',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('document', models.JSONField()),
                ('attempt', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='disturbance', to='runs.attempt')),
            ],
        ),
        migrations.CreateModel(
            name='HistogramSeries',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('start', models.FloatField()),
                ('interval', models.FloatField()),
                ('length', models.PositiveIntegerField()),
                ('lows', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), size=None)),
                ('counts', models.BinaryField()),
                ('measurement', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='over_time', to='results.measurement')),
            ],
            options={
                'verbose_name_plural': 'histogram series',
            },
        ),
        migrations.CreateModel(
            name='Histogram',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('bins', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), size=None)),
                ('counts', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), size=None)),
                ('measurement', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='histogram', to='results.measurement')),
            ],
        ),
        migrations.CreateModel(
            name='Series',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('source', models.CharField(choices=[('tool', 'the tool'), ('device', 'the device'), ('host', 'the host'), ('cost', 'wear and energy'), ('cluster', 'the cluster')], max_length=8)),
                ('component', models.CharField(blank=True, max_length=200)),
                ('subject', models.CharField(max_length=40)),
                ('metric', models.CharField(max_length=40)),
                ('start', models.FloatField()),
                ('interval', models.FloatField()),
                ('length', models.PositiveBigIntegerField()),
                ('downsampled_at', models.DateTimeField(editable=False, null=True)),
                ('value_count', models.PositiveBigIntegerField(null=True)),
                ('minimum', models.FloatField(null=True)),
                ('mean', models.FloatField(null=True)),
                ('maximum', models.FloatField(null=True)),
                ('stddev', models.FloatField(null=True)),
                ('stalled', models.FloatField(null=True)),
                ('attempt', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='series', to='runs.attempt')),
                ('member', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='series', to='runs.runtargetmember')),
                ('run', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='runs.run')),
            ],
            options={
                'verbose_name_plural': 'series',
                'ordering': ['attempt', 'source', 'component', 'subject', 'metric'],
            },
        ),
        migrations.CreateModel(
            name='SeriesChunk',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('index', models.PositiveIntegerField()),
                ('values', models.BinaryField()),
                ('tile_minima', models.BinaryField()),
                ('tile_maxima', models.BinaryField()),
                ('series', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='chunks', to='results.series')),
            ],
            options={
                'ordering': ['series', 'index'],
            },
        ),
        migrations.CreateModel(
            name='Baseline',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('updated_at', models.DateTimeField(auto_now=True, verbose_name='changed')),
                ('name', models.CharField(default='as delivered', max_length=80, verbose_name='name')),
                ('note', models.TextField(blank=True, verbose_name='note')),
                ('case', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='baselines', to='runs.case')),
                ('disk_model', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='baselines', to='inventory.diskmodel', verbose_name='disk model')),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='owner')),
                ('run', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='baselines', to='runs.run')),
                ('target', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='baselines', to='inventory.target')),
                ('team', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='accounts.team', verbose_name='team')),
            ],
            options={
                'ordering': ['-id'],
                'abstract': False,
                'constraints': [models.CheckConstraint(condition=models.Q(('target__isnull', True), ('disk_model__isnull', True), _connector='XOR'), name='a_baseline_is_of_a_target_or_a_model'), models.UniqueConstraint(condition=models.Q(('target__isnull', False)), fields=('target', 'name'), name='a_target_has_a_baseline_of_a_name_once'), models.UniqueConstraint(condition=models.Q(('disk_model__isnull', False)), fields=('disk_model', 'name'), name='a_model_has_a_baseline_of_a_name_once')],
            },
        ),
        migrations.CreateModel(
            name='DiskWear',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('identity', models.CharField(max_length=400)),
                ('name', models.CharField(blank=True, max_length=80)),
                ('host_bytes', models.BigIntegerField(null=True)),
                ('nand_bytes', models.BigIntegerField(null=True)),
                ('kernel_bytes', models.BigIntegerField(null=True)),
                ('resolution', models.BigIntegerField(default=0)),
                ('used_percent_before', models.PositiveIntegerField(null=True)),
                ('used_percent_after', models.PositiveIntegerField(null=True)),
                ('attempt', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='disk_wear', to='runs.attempt')),
                ('disk', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='wear', to='inventory.disk')),
                ('host', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='inventory.host')),
            ],
            options={
                'verbose_name_plural': 'disk wear',
                'ordering': ['attempt', 'host', 'identity'],
                'constraints': [models.UniqueConstraint(fields=('attempt', 'host', 'identity'), name='one_wear_per_attempt_and_disk'), models.CheckConstraint(condition=models.Q(models.Q(('host_bytes__isnull', True), ('host_bytes__gte', 0), _connector='OR'), models.Q(('nand_bytes__isnull', True), ('nand_bytes__gte', 0), _connector='OR')), name='written_bytes_are_not_negative')],
            },
        ),
        migrations.CreateModel(
            name='ResultSummary',
            fields=[
                ('measurement', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='summary', serialize=False, to='results.measurement')),
                ('settings_hash', models.BigIntegerField(null=True)),
                ('measured_at', models.DateTimeField()),
                ('bandwidth', models.FloatField(null=True)),
                ('iops', models.FloatField(null=True)),
                ('latency_min', models.FloatField(null=True)),
                ('latency_mean', models.FloatField(null=True)),
                ('latency_max', models.FloatField(null=True)),
                ('latency_stddev', models.FloatField(null=True)),
                ('latency_p50', models.FloatField(null=True)),
                ('latency_p95', models.FloatField(null=True)),
                ('latency_p99', models.FloatField(null=True)),
                ('latency_p999', models.FloatField(null=True)),
                ('latency_p9999', models.FloatField(null=True)),
                ('block', models.PositiveIntegerField()),
                ('repeat', models.PositiveIntegerField()),
                ('parser_version', models.PositiveIntegerField()),
                ('has_measured_time', models.BooleanField()),
                ('imported', models.BooleanField()),
                ('is_comparable', models.BooleanField()),
                ('exclusion_reason', models.CharField(blank=True, choices=[('invalid', 'the result is marked invalid'), ('case', 'the case did not succeed'), ('attempt', 'the attempt did not succeed, or its result is invalid'), ('replaced', 'replaced by a later attempt of the same case'), ('precondition', 'preconditioning, or before the steady state')], max_length=12)),
                ('operation', models.CharField(max_length=20)),
                ('tool_version', models.CharField(blank=True, max_length=40)),
                ('expectation_verdict', models.CharField(blank=True, choices=[('met', 'met what was expected'), ('missed', 'missed what was expected')], max_length=6)),
                ('case', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='summaries', to='runs.case')),
                ('facts', models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='summaries', to='inventory.hostfacts')),
                ('host', models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='summaries', to='inventory.host')),
                ('run', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='summaries', to='runs.run')),
                ('run_target', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='summaries', to='runs.runtarget')),
                ('run_tuning', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='summaries', to='runs.runtuning')),
                ('target', models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='summaries', to='inventory.target')),
                ('tuning', models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='summaries', to='tuning.tuningprofile')),
                ('workload', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='summaries', to='plans.workload')),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.AddIndex(
            model_name='measurement',
            index=models.Index(condition=models.Q(('component', ''), ('valid', True)), fields=['case', 'operation'], name='valid_whole_measurements'),
        ),
        migrations.AddIndex(
            model_name='measurement',
            index=models.Index(condition=models.Q(('member__isnull', False)), fields=['member'], name='measurements_of_a_member'),
        ),
        migrations.AddIndex(
            model_name='measurement',
            index=models.Index(condition=models.Q(('component', '')), fields=['iops'], name='wholes_by_iops'),
        ),
        migrations.AddIndex(
            model_name='measurement',
            index=models.Index(condition=models.Q(('component', '')), fields=['bandwidth'], name='wholes_by_bandwidth'),
        ),
        migrations.AddIndex(
            model_name='measurement',
            index=models.Index(condition=models.Q(('component', '')), fields=['latency_mean'], name='wholes_by_latency_mean'),
        ),
        migrations.AddIndex(
            model_name='measurement',
            index=models.Index(condition=models.Q(('component', '')), fields=['latency_p50'], name='wholes_by_latency_p50'),
        ),
        migrations.AddIndex(
            model_name='measurement',
            index=models.Index(condition=models.Q(('component', '')), fields=['latency_p95'], name='wholes_by_latency_p95'),
        ),
        migrations.AddIndex(
            model_name='measurement',
            index=models.Index(condition=models.Q(('component', '')), fields=['latency_p99'], name='wholes_by_latency_p99'),
        ),
        migrations.AddIndex(
            model_name='measurement',
            index=models.Index(condition=models.Q(('component', '')), fields=['latency_p999'], name='wholes_by_latency_p999'),
        ),
        migrations.AddIndex(
            model_name='measurement',
            index=models.Index(condition=models.Q(('component', '')), fields=['latency_max'], name='wholes_by_latency_max'),
        ),
        migrations.AddIndex(
            model_name='measurement',
            index=models.Index(condition=models.Q(('component', '')), fields=['operation', '-id'], name='wholes_by_operation'),
        ),
        migrations.AddIndex(
            model_name='measurement',
            index=models.Index(condition=models.Q(('component', '')), fields=['workload', '-id'], name='wholes_of_a_workload'),
        ),
        migrations.AddIndex(
            model_name='measurement',
            index=models.Index(condition=models.Q(('component', ''), ('valid', False)), fields=['-id'], name='wholes_that_are_not_valid'),
        ),
        migrations.AddIndex(
            model_name='measurement',
            index=models.Index(condition=models.Q(('component', ''), ('valid', False)), fields=['case'], name='wholes_not_valid_by_case'),
        ),
        migrations.AddConstraint(
            model_name='measurement',
            constraint=models.UniqueConstraint(fields=('attempt', 'operation', 'component'), name='one_measurement_per_operation_and_component'),
        ),
        migrations.AddConstraint(
            model_name='measurement',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('iops__isnull', True), models.Q(('iops__gte', 0.0), ('iops__lt', float("inf"))), _connector='OR'), models.Q(('bandwidth__isnull', True), models.Q(('bandwidth__gte', 0.0), ('bandwidth__lt', float("inf"))), _connector='OR'), models.Q(('latency_min__isnull', True), models.Q(('latency_min__gte', 0.0), ('latency_min__lt', float("inf"))), _connector='OR'), models.Q(('latency_mean__isnull', True), models.Q(('latency_mean__gte', 0.0), ('latency_mean__lt', float("inf"))), _connector='OR'), models.Q(('latency_p50__isnull', True), models.Q(('latency_p50__gte', 0.0), ('latency_p50__lt', float("inf"))), _connector='OR'), models.Q(('latency_p95__isnull', True), models.Q(('latency_p95__gte', 0.0), ('latency_p95__lt', float("inf"))), _connector='OR'), models.Q(('latency_p99__isnull', True), models.Q(('latency_p99__gte', 0.0), ('latency_p99__lt', float("inf"))), _connector='OR'), models.Q(('latency_p999__isnull', True), models.Q(('latency_p999__gte', 0.0), ('latency_p999__lt', float("inf"))), _connector='OR'), models.Q(('latency_p9999__isnull', True), models.Q(('latency_p9999__gte', 0.0), ('latency_p9999__lt', float("inf"))), _connector='OR'), models.Q(('latency_max__isnull', True), models.Q(('latency_max__gte', 0.0), ('latency_max__lt', float("inf"))), _connector='OR'), models.Q(('latency_stddev__isnull', True), models.Q(('latency_stddev__gte', 0.0), ('latency_stddev__lt', float("inf"))), _connector='OR')), name='figures_are_possible'),
        ),
        migrations.AddIndex(
            model_name='series',
            index=models.Index(fields=['metric', 'subject', 'component'], name='series_of_a_metric'),
        ),
        migrations.AddIndex(
            model_name='series',
            index=models.Index(fields=['run', 'id'], name='series_of_a_run'),
        ),
        migrations.AddIndex(
            model_name='series',
            index=models.Index(condition=models.Q(('member__isnull', False)), fields=['member'], name='series_of_a_member'),
        ),
        migrations.AddIndex(
            model_name='series',
            index=models.Index(condition=models.Q(('stalled__gt', 0)), fields=['run'], name='series_with_stalls_of_a_run'),
        ),
        migrations.AddConstraint(
            model_name='series',
            constraint=models.UniqueConstraint(fields=('attempt', 'source', 'component', 'subject', 'metric'), name='one_series_per_component_and_metric'),
        ),
        migrations.AddConstraint(
            model_name='serieschunk',
            constraint=models.UniqueConstraint(fields=('series', 'index'), name='chunks_are_numbered'),
        ),
        migrations.AddIndex(
            model_name='resultsummary',
            index=models.Index(fields=['run'], name='summaries_by_run'),
        ),
        migrations.AddIndex(
            model_name='resultsummary',
            index=models.Index(fields=['host', 'workload'], name='summaries_by_host'),
        ),
        migrations.AddIndex(
            model_name='resultsummary',
            index=models.Index(condition=models.Q(('is_comparable', True)), fields=['workload', 'target', 'measured_at'], name='summaries_over_time'),
        ),
        migrations.AddIndex(
            model_name='resultsummary',
            index=models.Index(condition=models.Q(('is_comparable', True)), fields=['workload', 'measured_at', 'measurement'], name='summaries_by_time'),
        ),
        migrations.AddIndex(
            model_name='resultsummary',
            index=models.Index(condition=models.Q(('is_comparable', True)), fields=['target', 'measured_at'], name='summaries_by_target'),
        ),
        migrations.AddIndex(
            model_name='resultsummary',
            index=models.Index(condition=models.Q(('expectation_verdict', ''), _negated=True), fields=['expectation_verdict', 'case'], name='summaries_by_verdict'),
        ),
    ]

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
        ('runs', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Import',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('updated_at', models.DateTimeField(auto_now=True, verbose_name='changed')),
                ('name', models.CharField(max_length=120, verbose_name='name')),
                ('is_named', models.BooleanField(default=True)),
                ('note', models.TextField(blank=True, verbose_name='note')),
                ('job_options', models.TextField(blank=True, max_length=65536, verbose_name='options as they were run')),
                ('host_name', models.CharField(blank=True, max_length=64, verbose_name='host')),
                ('target_name', models.CharField(blank=True, max_length=200, verbose_name='target')),
                ('tuning_name', models.CharField(blank=True, max_length=80, verbose_name='tuning')),
                ('ignore_job_names', models.BooleanField(default=False, verbose_name='names of jobs mean nothing')),
                ('keep_duplicates', models.BooleanField(default=False, verbose_name='keep repeated outputs')),
                ('dry_run', models.BooleanField(default=False)),
                ('state', models.CharField(choices=[('received', 'being read'), ('read', 'read, not stored yet'), ('storing', 'being stored'), ('stored', 'stored'), ('discarded', 'discarded')], default='received', max_length=12)),
                ('reason', models.TextField(blank=True)),
                ('lease_until', models.DateTimeField(editable=False, null=True)),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='owner')),
                ('run', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='imported', to='runs.run')),
                ('team', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='accounts.team', verbose_name='team')),
            ],
            options={
                'ordering': ['-id'],
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='ImportFile',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('path', models.CharField(max_length=400, verbose_name='file')),
                ('archive', models.CharField(blank=True, max_length=400)),
                ('size', models.BigIntegerField(default=0)),
                ('sha256', models.CharField(blank=True, db_index=True, max_length=64)),
                ('content', models.BinaryField(default=b'')),
                ('state', models.CharField(choices=[('waiting', 'not read yet'), ('parsed', 'parsed'), ('failed', 'failed'), ('skipped', 'skipped'), ('split', 'split')], default='waiting', max_length=16)),
                ('tool', models.CharField(blank=True, max_length=20)),
                ('format', models.CharField(blank=True, max_length=20)),
                ('version', models.CharField(blank=True, max_length=40)),
                ('completeness', models.CharField(blank=True, max_length=8)),
                ('points', models.JSONField(default=list)),
                ('keys', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=64), default=list, size=None)),
                ('nameless_keys', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=64), default=list, size=None)),
                ('proposals', models.JSONField(default=list)),
                ('warnings', models.JSONField(default=list)),
                ('parse_error', models.TextField(blank=True)),
                ('role', models.CharField(default='stdout', max_length=420)),
                ('path_params', models.JSONField(default=dict)),
                ('host_name', models.CharField(blank=True, max_length=64, verbose_name='host')),
                ('target_name', models.CharField(blank=True, max_length=200, verbose_name='target')),
                ('tuning_name', models.CharField(blank=True, max_length=80, verbose_name='tuning')),
                ('suggested_names', models.JSONField(default=dict)),
                ('ignore_job_names', models.BooleanField(default=False, verbose_name='names of jobs mean nothing')),
                ('keep_duplicates', models.BooleanField(default=False, verbose_name='keep repeated outputs')),
                ('ignore_commands', models.BooleanField(default=False, verbose_name='commands above outputs are not theirs')),
                ('duplicate_of', models.CharField(blank=True, max_length=500)),
                ('selected', models.BooleanField(default=True, verbose_name='store')),
                ('lines', models.JSONField(default=list)),
                ('batch', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='files', to='imports.import')),
                ('case', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='runs.case')),
                ('primary_file', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='parts', to='imports.importfile')),
                ('split_from', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='pieces', to='imports.importfile')),
            ],
            options={
                'ordering': ['batch', 'number'],
                'constraints': [models.UniqueConstraint(fields=('batch', 'number'), name='files_are_numbered')],
            },
        ),
    ]

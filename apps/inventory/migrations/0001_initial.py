import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Credential',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('updated_at', models.DateTimeField(auto_now=True, verbose_name='changed')),
                ('name', models.CharField(max_length=80, unique=True, verbose_name='name')),
                ('public_key', models.TextField(verbose_name='public key')),
                ('encrypted_key', models.BinaryField()),
                ('encrypted_passphrase', models.BinaryField(null=True)),
            ],
            options={
                'ordering': ['-id'],
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Target',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(editable=False, max_length=20)),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='DiskModel',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('updated_at', models.DateTimeField(auto_now=True, verbose_name='changed')),
                ('sla_iops', models.FloatField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(0.001)])),
                ('sla_bandwidth', models.FloatField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(0.001)])),
                ('seek_ms', models.FloatField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(0.001)], verbose_name='seek')),
                ('rotation_ms', models.FloatField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(0.001)], verbose_name='rotation')),
                ('transfer_ms', models.FloatField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(0.001)], verbose_name='transfer')),
                ('name', models.CharField(max_length=120, unique=True, verbose_name='name')),
                ('vendor', models.CharField(blank=True, max_length=80, verbose_name='vendor')),
                ('rotational', models.BooleanField(default=False, verbose_name='rotational')),
            ],
            options={
                'ordering': ['name'],
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='CephCluster',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('updated_at', models.DateTimeField(auto_now=True, verbose_name='changed')),
                ('fsid', models.CharField(editable=False, max_length=36, verbose_name='fsid')),
                ('is_distinct', models.BooleanField(default=False, editable=False, verbose_name='not the cluster of other hosts with this fsid')),
                ('osd_restart_mode', models.CharField(blank=True, choices=[('unit', 'by their systemd units, also those of cephadm'), ('command', 'by a command')], default='', editable=False, max_length=8)),
                ('osd_restart_command', models.CharField(blank=True, default='', editable=False, max_length=300)),
                ('option_names', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=120), blank=True, default=list, editable=False, size=None)),
                ('restart_options', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=80), blank=True, default=list, editable=False, size=None)),
                ('osds', models.JSONField(blank=True, default=list, editable=False)),
                ('checked_at', models.DateTimeField(editable=False, null=True)),
            ],
            options={
                'ordering': ['fsid', 'id'],
                'abstract': False,
                'constraints': [models.UniqueConstraint(condition=models.Q(('is_distinct', False)), fields=('fsid',), name='one_cluster_per_fsid')],
            },
        ),
        migrations.CreateModel(
            name='Disk',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('updated_at', models.DateTimeField(auto_now=True, verbose_name='changed')),
                ('target', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, parent_link=True, primary_key=True, related_name='disk', serialize=False, to='inventory.target')),
                ('identity', models.CharField(max_length=400, verbose_name='identity')),
                ('device_type', models.CharField(blank=True, max_length=20)),
                ('device_path', models.CharField(blank=True, max_length=80, verbose_name='last seen as')),
                ('size', models.BigIntegerField(default=0, verbose_name='size, bytes')),
                ('serial', models.CharField(blank=True, max_length=120, verbose_name='serial')),
                ('rotational', models.BooleanField(default=False, verbose_name='rotational')),
                ('facts', models.JSONField(default=dict)),
                ('last_seen_at', models.DateTimeField(null=True)),
                ('enrolled_at', models.DateTimeField(null=True, verbose_name='enrolled as expendable')),
                ('enrolled_size', models.BigIntegerField(null=True)),
                ('fingerprint', models.JSONField(editable=False, null=True)),
                ('content_changed', models.TextField(blank=True, editable=False)),
                ('preconditioning', models.JSONField(editable=False, null=True)),
                ('backing', models.JSONField(editable=False, null=True)),
                ('tags', django.contrib.postgres.fields.ArrayField(base_field=models.SlugField(allow_unicode=True, max_length=40), blank=True, default=list, size=None, verbose_name='tags')),
                ('is_distinct_device', models.BooleanField(default=False, verbose_name='not the device that other hosts show under this identity')),
                ('enrolled_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['host', 'device_path'],
                'abstract': False,
            },
            bases=('inventory.target', models.Model),
        ),
        migrations.CreateModel(
            name='Host',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('updated_at', models.DateTimeField(auto_now=True, verbose_name='changed')),
                ('name', models.CharField(max_length=64, unique=True, validators=[django.core.validators.RegexValidator('^[A-Za-z0-9][A-Za-z0-9._-]*$')], verbose_name='name')),
                ('kind', models.CharField(choices=[('ssh', 'over SSH'), ('local', 'this machine'), ('imported_only', 'only in the archive: its results were imported')], default='ssh', max_length=16, verbose_name='reached')),
                ('address', models.CharField(blank=True, max_length=253, validators=[django.core.validators.RegexValidator('^[A-Za-z0-9](?:[A-Za-z0-9.:_-]{0,252})$', 'A host name or an IP address, nothing else.')], verbose_name='address')),
                ('port', models.PositiveIntegerField(default=22, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(65535)], verbose_name='port')),
                ('user', models.CharField(blank=True, default='root', max_length=32, validators=[django.core.validators.RegexValidator('^[a-z_][a-z0-9_.-]{0,31}$', 'A login name such as root or bench.')], verbose_name='user')),
                ('privilege_mode', models.CharField(choices=[('root', 'log in as root'), ('sudo', 'sudo -n'), ('user', 'as the user itself (directories only)')], default='root', max_length=8, verbose_name='rights')),
                ('key_source', models.CharField(choices=[('stored', 'a key kept by benchlab'), ('agent', "the worker's ssh-agent")], default='stored', max_length=8, verbose_name='key')),
                ('host_key', models.TextField(blank=True, editable=False, verbose_name='pinned host key')),
                ('presented_host_key', models.TextField(blank=True, editable=False, verbose_name='host key seen, not yet trusted')),
                ('network_test_address', models.CharField(blank=True, help_text='What network tests connect to; empty: the address above.', max_length=253, validators=[django.core.validators.RegexValidator('^[A-Za-z0-9](?:[A-Za-z0-9.:_-]{0,252})$', 'A host name or an IP address, nothing else.')], verbose_name='address on the storage network')),
                ('tags', django.contrib.postgres.fields.ArrayField(base_field=models.SlugField(allow_unicode=True, max_length=40), blank=True, default=list, size=None, verbose_name='tags')),
                ('enabled', models.BooleanField(default=True, verbose_name='enabled')),
                ('health', models.CharField(choices=[('unchecked', 'not checked yet'), ('ok', 'reachable'), ('warning', 'reachable, with warnings'), ('unreachable', 'not reachable')], default='unchecked', editable=False, max_length=12)),
                ('health_text', models.TextField(blank=True, editable=False)),
                ('health_kind', models.CharField(blank=True, editable=False, max_length=20)),
                ('checked_at', models.DateTimeField(editable=False, null=True)),
                ('check_requested_at', models.DateTimeField(editable=False, null=True)),
                ('install_requested', models.CharField(blank=True, editable=False, max_length=40)),
                ('install_log', models.TextField(blank=True, editable=False)),
                ('round_trip_seconds', models.FloatField(editable=False, null=True, verbose_name='round trip, seconds')),
                ('clock_offset', models.FloatField(editable=False, null=True, verbose_name='clock offset, seconds')),
                ('reported_fsid', models.CharField(blank=True, editable=False, max_length=36)),
                ('fsid_error', models.TextField(blank=True, editable=False)),
                ('fsid_checked_at', models.DateTimeField(editable=False, null=True)),
                ('unrestored_settings', models.JSONField(default=list, editable=False)),
                ('cleanup_pending_since', models.DateTimeField(editable=False, null=True)),
                ('cluster', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='hosts', to='inventory.cephcluster', verbose_name='Ceph cluster')),
                ('credential', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='hosts', to='inventory.credential')),
                ('jump', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='inventory.host', verbose_name='jump host')),
            ],
            options={
                'ordering': ['name'],
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='HostAuthority',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('updated_at', models.DateTimeField(auto_now=True, verbose_name='changed')),
                ('patterns', models.CharField(max_length=400, verbose_name='hosts')),
                ('public_key', models.TextField(verbose_name='public key')),
                ('is_revoked', models.BooleanField(default=False, verbose_name='revoked')),
            ],
            options={
                'ordering': ['-id'],
                'abstract': False,
                'constraints': [models.UniqueConstraint(fields=('patterns', 'public_key', 'is_revoked'), name='uniq_host_authority_patterns_key')],
            },
        ),
        migrations.CreateModel(
            name='HostBatch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('updated_at', models.DateTimeField(auto_now=True, verbose_name='changed')),
                ('form', models.CharField(max_length=20)),
                ('created_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('credential', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='inventory.credential', verbose_name='key of its new hosts')),
                ('hosts', models.ManyToManyField(related_name='batches', to='inventory.host')),
            ],
            options={
                'ordering': ['-id'],
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='HostFacts',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('collected_at', models.DateTimeField(auto_now_add=True)),
                ('last_seen_at', models.DateTimeField(auto_now=True)),
                ('digest', models.CharField(max_length=64)),
                ('facts', models.JSONField()),
                ('host', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='facts_history', to='inventory.host')),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
        migrations.AddField(
            model_name='host',
            name='facts',
            field=models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='inventory.hostfacts'),
        ),
        migrations.CreateModel(
            name='Directory',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('updated_at', models.DateTimeField(auto_now=True, verbose_name='changed')),
                ('target', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, parent_link=True, primary_key=True, related_name='directory', serialize=False, to='inventory.target')),
                ('path', models.CharField(max_length=255, validators=[django.core.validators.RegexValidator('^/[A-Za-z0-9._/-]*$', 'An absolute path of letters, digits, dot, dash, underscore and slash.')], verbose_name='path')),
                ('host', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='directories', to='inventory.host')),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='owner')),
                ('team', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='accounts.team', verbose_name='team')),
            ],
            options={
                'verbose_name_plural': 'directories',
                'ordering': ['host', 'path'],
                'abstract': False,
            },
            bases=('inventory.target', models.Model),
        ),
        migrations.CreateModel(
            name='DiskSpecification',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('updated_at', models.DateTimeField(auto_now=True, verbose_name='changed')),
                ('sla_iops', models.FloatField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(0.001)])),
                ('sla_bandwidth', models.FloatField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(0.001)])),
                ('seek_ms', models.FloatField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(0.001)], verbose_name='seek')),
                ('rotation_ms', models.FloatField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(0.001)], verbose_name='rotation')),
                ('transfer_ms', models.FloatField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(0.001)], verbose_name='transfer')),
                ('disk', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='specification', to='inventory.disk')),
            ],
            options={
                'ordering': ['-id'],
                'abstract': False,
            },
        ),
        migrations.AddField(
            model_name='disk',
            name='host',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='disks', to='inventory.host'),
        ),
        migrations.AddField(
            model_name='disk',
            name='model',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='disks', to='inventory.diskmodel', verbose_name='model'),
        ),
        migrations.CreateModel(
            name='HostPair',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('updated_at', models.DateTimeField(auto_now=True, verbose_name='changed')),
                ('target', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, parent_link=True, primary_key=True, related_name='pair', serialize=False, to='inventory.target')),
                ('client', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='inventory.host')),
                ('server', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='inventory.host')),
            ],
            options={
                'ordering': ['client', 'server'],
                'abstract': False,
            },
            bases=('inventory.target', models.Model),
        ),
        migrations.CreateModel(
            name='Pool',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('updated_at', models.DateTimeField(auto_now=True, verbose_name='changed')),
                ('target', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, parent_link=True, primary_key=True, related_name='pool', serialize=False, to='inventory.target')),
                ('name', models.CharField(max_length=64, validators=[django.core.validators.RegexValidator('^[A-Za-z0-9][A-Za-z0-9._-]*$', 'Letters, digits, dot, dash and underscore; the first a letter or digit.')], verbose_name='pool')),
                ('is_ephemeral', models.BooleanField(default=False, verbose_name='made and deleted by benchlab')),
                ('pg_num', models.PositiveIntegerField(default=64, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(32768)], verbose_name='placement groups')),
                ('pool_type', models.CharField(choices=[('replicated', 'replicated'), ('erasure', 'erasure coded')], default='replicated', max_length=12, verbose_name='type')),
                ('replicas', models.PositiveIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1)], verbose_name='replicas')),
                ('k', models.PositiveIntegerField(default=2, verbose_name='data chunks (k)')),
                ('m', models.PositiveIntegerField(default=1, verbose_name='coding chunks (m)')),
                ('failure_domain', models.CharField(choices=[('host', 'host'), ('osd', 'OSD')], default='host', max_length=8, verbose_name='failure domain')),
                ('monitor_osd_hosts', models.BooleanField(default=True, verbose_name='hosts of its OSDs are observed')),
                ('clients', models.ManyToManyField(blank=True, related_name='+', to='inventory.host', verbose_name='more client hosts, started together')),
                ('cluster', models.ForeignKey(db_index=False, editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='pools', to='inventory.cephcluster')),
                ('host', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='pools', to='inventory.host', verbose_name='client host')),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='owner')),
                ('team', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='accounts.team', verbose_name='team')),
            ],
            options={
                'ordering': ['host', 'name'],
                'abstract': False,
            },
            bases=('inventory.target', models.Model),
        ),
        migrations.CreateModel(
            name='TargetGroup',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('updated_at', models.DateTimeField(auto_now=True, verbose_name='changed')),
                ('target', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, parent_link=True, primary_key=True, related_name='group', serialize=False, to='inventory.target')),
                ('name', models.CharField(max_length=80, unique=True, verbose_name='name')),
                ('level', models.CharField(blank=True, choices=[('', 'none: disks side by side'), ('raid0', 'RAID 0'), ('raid1', 'RAID 1'), ('raid5', 'RAID 5'), ('raid6', 'RAID 6'), ('raid10', 'RAID 10')], default='', max_length=8, verbose_name='level')),
                ('directories', models.ManyToManyField(blank=True, related_name='groups', to='inventory.directory')),
                ('disks', models.ManyToManyField(blank=True, related_name='groups', to='inventory.disk')),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='owner')),
                ('team', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='accounts.team', verbose_name='team')),
            ],
            options={
                'ordering': ['name'],
                'abstract': False,
            },
            bases=('inventory.target', models.Model),
        ),
        migrations.AddConstraint(
            model_name='hostfacts',
            constraint=models.UniqueConstraint(fields=('host', 'digest'), name='one_row_per_set_of_facts'),
        ),
        migrations.AddConstraint(
            model_name='host',
            constraint=models.UniqueConstraint(condition=models.Q(('kind', 'local')), fields=('kind',), name='one_local_host', violation_error_message='Another host is this machine already.'),
        ),
        migrations.AddConstraint(
            model_name='directory',
            constraint=models.UniqueConstraint(fields=('host', 'path'), name='one_directory_per_path_and_host'),
        ),
        migrations.AddIndex(
            model_name='disk',
            index=django.contrib.postgres.indexes.GinIndex(fields=['tags'], name='disks_by_tag'),
        ),
        migrations.AddConstraint(
            model_name='disk',
            constraint=models.UniqueConstraint(fields=('host', 'identity'), name='one_disk_per_identity_and_host'),
        ),
        migrations.AddConstraint(
            model_name='hostpair',
            constraint=models.UniqueConstraint(fields=('client', 'server'), name='one_pair_per_direction'),
        ),
        migrations.AddConstraint(
            model_name='hostpair',
            constraint=models.CheckConstraint(condition=models.Q(('client', models.F('server')), _negated=True), name='a_pair_is_two_hosts'),
        ),
        migrations.AddConstraint(
            model_name='pool',
            constraint=models.UniqueConstraint(fields=('host', 'name'), name='one_pool_per_name_and_host'),
        ),
        migrations.AddConstraint(
            model_name='pool',
            constraint=models.UniqueConstraint(fields=('cluster', 'name'), name='one_pool_per_name_and_cluster'),
        ),
    ]

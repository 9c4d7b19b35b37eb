import django.contrib.auth.models
import django.contrib.auth.validators
import django.core.validators
import django.db.models.deletion
import django.utils.timezone
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('username', models.CharField(error_messages={'unique': 'A user with that username already exists.'}, help_text='Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.', max_length=150, unique=True, validators=[django.contrib.auth.validators.UnicodeUsernameValidator()], verbose_name='username')),
                ('first_name', models.CharField(blank=True, max_length=150, verbose_name='first name')),
                ('last_name', models.CharField(blank=True, max_length=150, verbose_name='last name')),
                ('email', models.EmailField(blank=True, max_length=254, verbose_name='email address')),
                ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='date joined')),
                ('role', models.CharField(choices=[('viewer', 'Viewer'), ('operator', 'Operator'), ('disk_owner', 'Disk owner'), ('admin', 'Admin')], default='viewer', max_length=12, verbose_name='role')),
                ('units', models.CharField(choices=[('binary', 'binary (MiB/s, GiB)'), ('decimal', 'decimal (MB/s, GB)')], default='binary', editable=False, max_length=8, verbose_name='units')),
                ('time_zone', models.CharField(default='UTC', editable=False, max_length=64, verbose_name='time zone')),
                ('density', models.CharField(choices=[('roomy', 'roomy'), ('dense', 'dense')], default='roomy', editable=False, max_length=8, verbose_name='density of tables')),
                ('language', models.CharField(blank=True, choices=[('en', 'English'), ('zh-hans', '简体中文')], editable=False, max_length=12, verbose_name='language')),
                ('session_epoch', models.PositiveIntegerField(default=0, editable=False)),
                ('signed_on_at', models.DateTimeField(editable=False, null=True, verbose_name='last sign-on')),
            ],
            options={
                'verbose_name': 'user',
                'verbose_name_plural': 'users',
                'abstract': False,
            },
            managers=[
                ('objects', django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name='Team',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('updated_at', models.DateTimeField(auto_now=True, verbose_name='changed')),
                ('name', models.CharField(max_length=60, unique=True, verbose_name='name')),
                ('raw_retention_months', models.PositiveSmallIntegerField(blank=True, help_text="Raw output of the team's runs is deleted after this time; results stay. Empty: the rule of the installation.", null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(1200)], verbose_name='months of raw output')),
            ],
            options={
                'ordering': ['name'],
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='SavedView',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('updated_at', models.DateTimeField(auto_now=True, verbose_name='changed')),
                ('page', models.CharField(max_length=40)),
                ('name', models.CharField(max_length=60, verbose_name='name')),
                ('query', models.CharField(max_length=2000)),
                ('owner', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('team', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='accounts.team', verbose_name='team')),
            ],
            options={
                'ordering': ['name', 'id'],
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Session',
            fields=[
                ('session_key', models.CharField(max_length=40, primary_key=True, serialize=False, verbose_name='session key')),
                ('session_data', models.TextField(verbose_name='session data')),
                ('expire_date', models.DateTimeField(db_index=True, verbose_name='expire date')),
                ('reference', models.UUIDField(db_index=True, null=True)),
                ('browser', models.CharField(blank=True, max_length=200)),
                ('address', models.CharField(blank=True, max_length=64)),
                ('since', models.DateTimeField(null=True)),
                ('last_seen_at', models.DateTimeField(null=True)),
                ('provider_session', models.CharField(blank=True, db_index=True, max_length=255)),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'session',
                'verbose_name_plural': 'sessions',
                'abstract': False,
            },
        ),
        migrations.AddField(
            model_name='user',
            name='teams',
            field=models.ManyToManyField(blank=True, related_name='members', to='accounts.team', verbose_name='teams'),
        ),
        migrations.CreateModel(
            name='ApiToken',
            fields=[
                ('digest', models.CharField(max_length=128, primary_key=True, serialize=False)),
                ('token_key', models.CharField(db_index=True, max_length=25)),
                ('created', models.DateTimeField(auto_now_add=True)),
                ('expiry', models.DateTimeField(verbose_name='valid until')),
                ('reference', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('name', models.CharField(default='', max_length=60, verbose_name='name')),
                ('read_only', models.BooleanField(default=False, verbose_name='read only')),
                ('scope', models.CharField(choices=[('api', 'the API'), ('metrics', 'only /metrics, for Prometheus')], db_default='api', default='api', max_length=8, verbose_name='opens')),
                ('may_wipe', models.BooleanField(default=False, verbose_name='may wipe')),
                ('last_used_at', models.DateTimeField(blank=True, null=True, verbose_name='last used')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='auth_token_set', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-created'],
                'constraints': [models.CheckConstraint(condition=models.Q(('scope', 'api'), models.Q(('read_only', True), ('scope', 'metrics')), _connector='OR'), name='token_scope_known')],
            },
        ),
        migrations.CreateModel(
            name='AuditEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('timestamp', models.DateTimeField(auto_now_add=True, db_index=True, verbose_name='time')),
                ('username', models.CharField(max_length=150, verbose_name='user')),
                ('address', models.CharField(blank=True, max_length=64, verbose_name='from')),
                ('action', models.CharField(max_length=40, verbose_name='action')),
                ('object_type', models.CharField(max_length=40, verbose_name='object')),
                ('object_id', models.CharField(blank=True, max_length=64)),
                ('label', models.CharField(blank=True, max_length=200)),
                ('detail', models.JSONField(blank=True, default=dict)),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-id'],
                'indexes': [models.Index(fields=['action', 'username', 'timestamp'], name='accounts_audit_by_action')],
            },
        ),
        migrations.CreateModel(
            name='DefaultView',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('page', models.CharField(max_length=40)),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('view', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.savedview')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('user', 'page'), name='uniq_default_view_of_list')],
            },
        ),
        migrations.AddConstraint(
            model_name='savedview',
            constraint=models.UniqueConstraint(fields=('owner', 'page', 'name'), name='uniq_saved_view_name', violation_error_message='You have a view of this name. Choose another name.'),
        ),
    ]

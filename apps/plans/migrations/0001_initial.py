import django.contrib.postgres.indexes
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.text
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
        ('inventory', '0001_initial'),
        ('tuning', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='TestPlan',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('updated_at', models.DateTimeField(auto_now=True, verbose_name='changed')),
                ('name', models.CharField(max_length=100, unique=True, verbose_name='name')),
                ('description', models.TextField(blank=True, verbose_name='description')),
                ('repeats', models.PositiveIntegerField(default=6, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(100)], verbose_name='repeats')),
                ('order', models.CharField(choices=[('listed', 'as listed'), ('interleaved', 'interleaved in random blocks')], default='interleaved', max_length=12, verbose_name='order')),
                ('unapplied', models.CharField(choices=[('refuse', 'refuse the test'), ('as_found', 'run it as found, and file it so')], default='refuse', max_length=8, verbose_name='where a tuning cannot be applied')),
                ('preparation', models.JSONField(blank=True, default=dict, verbose_name='preparation')),
                ('rounds', models.JSONField(blank=True, default=dict, verbose_name='rounds')),
                ('until_within', models.FloatField(blank=True, null=True, verbose_name='until every interval is within (±%)')),
                ('until_blocks', models.PositiveIntegerField(blank=True, null=True, verbose_name='at most so many blocks')),
                ('until_hours', models.FloatField(blank=True, null=True, verbose_name='at most so many hours')),
                ('until_factor', models.CharField(blank=True, default='tuning', help_text='Between what is decided: "tuning", "target", "host", or "param:<name>".', max_length=46, verbose_name='decided between')),
                ('saturates', models.CharField(blank=True, max_length=40, verbose_name='largest load that holds')),
                ('archived_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('baseline', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='tuning.tuningprofile', verbose_name='baseline')),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='owner')),
                ('team', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='accounts.team', verbose_name='team')),
                ('tunings', models.ManyToManyField(blank=True, related_name='plans', to='tuning.tuningprofile')),
            ],
            options={
                'ordering': ['-id'],
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='PlanSchedule',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('set_at', models.DateTimeField()),
                ('set_by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('plan', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='schedule', to='plans.testplan')),
            ],
        ),
        migrations.CreateModel(
            name='Workload',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=64, unique=True)),
                ('tool', models.CharField(max_length=20)),
                ('params', models.JSONField()),
                ('label', models.CharField(max_length=200)),
            ],
            options={
                'indexes': [django.contrib.postgres.indexes.GinIndex(django.contrib.postgres.indexes.OpClass(django.db.models.functions.text.Upper('label'), 'gin_trgm_ops'), name='workloads_by_parts_of_label')],
            },
        ),
        migrations.CreateModel(
            name='PlanTarget',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('target', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='plan_targets', to='inventory.target')),
                ('plan', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='targets', to='plans.testplan')),
            ],
            options={
                'ordering': ['plan', 'id'],
                'constraints': [models.UniqueConstraint(fields=('plan', 'target'), name='a_plan_names_a_target_once')],
            },
        ),
        migrations.CreateModel(
            name='PlanStep',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveIntegerField()),
                ('name', models.CharField(blank=True, max_length=80, verbose_name='name')),
                ('tool', models.CharField(max_length=20, verbose_name='tool')),
                ('params', models.JSONField(default=dict, verbose_name='parameters')),
                ('expectations', models.JSONField(default=list)),
                ('plan', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='steps', to='plans.testplan')),
            ],
            options={
                'ordering': ['plan', 'position'],
                'constraints': [models.UniqueConstraint(fields=('plan', 'position'), name='steps_are_numbered')],
            },
        ),
        migrations.CreateModel(
            name='CaseTime',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('tool', models.CharField(max_length=20)),
                ('tuning', models.CharField(blank=True, max_length=120)),
                ('planned', models.FloatField()),
                ('taken', models.FloatField()),
                ('host', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='inventory.host')),
                ('workload', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='plans.workload')),
            ],
            options={
                'indexes': [models.Index(fields=['host', 'tool', '-id'], name='newest_times_of_a_host')],
            },
        ),
    ]

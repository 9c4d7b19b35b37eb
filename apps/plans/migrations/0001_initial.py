import django.contrib.postgres.indexes
import django.db.models.deletion
import django.db.models.functions.datetime
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
                ('spec', models.JSONField(blank=True, default=dict)),
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
            name='PlanTarget',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('target', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='plan_targets', to='inventory.target')),
                ('plan', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='targets', to='plans.testplan')),
            ],
            options={
                'ordering': ['plan', 'id'],
            },
        ),
        migrations.CreateModel(
            name='PlanSchedule',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('set_at', models.DateTimeField()),
                ('low_priority', models.BooleanField(default=False)),
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
            name='CaseTime',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('tool', models.CharField(max_length=20)),
                ('tuning', models.CharField(blank=True, max_length=120)),
                ('planned', models.FloatField()),
                ('taken', models.FloatField()),
                ('created_at', models.DateTimeField(auto_now_add=True, db_default=django.db.models.functions.datetime.Now())),
                ('expected', models.FloatField(default=0.0)),
                ('host', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='inventory.host')),
                ('workload', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='plans.workload')),
            ],
        ),
        migrations.AddIndex(
            model_name='testplan',
            index=django.contrib.postgres.indexes.GinIndex(fields=['spec'], name='plans_by_spec', opclasses=['jsonb_path_ops']),
        ),
        migrations.AddConstraint(
            model_name='plantarget',
            constraint=models.UniqueConstraint(fields=('plan', 'target'), name='a_plan_names_a_target_once'),
        ),
        migrations.AddIndex(
            model_name='casetime',
            index=models.Index(fields=['host', 'tool', '-id'], name='newest_times_of_a_host'),
        ),
    ]

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('inventory', '0002_disk_catalogue'),
        ('results', '0002_sql'),
        ('runs', '0001_initial'),
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
        migrations.AlterField(
            model_name='series',
            name='source',
            field=models.CharField(choices=[('tool', 'the tool'), ('device', 'the device'), ('host', 'the host'), ('cost', 'wear and energy')], max_length=8),
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
    ]

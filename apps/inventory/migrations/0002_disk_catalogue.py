import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('inventory', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='CatalogueEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('updated_at', models.DateTimeField(auto_now=True, verbose_name='changed')),
                ('sla_iops', models.FloatField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(0.001)])),
                ('sla_bandwidth', models.FloatField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(0.001)])),
                ('seek_ms', models.FloatField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(0.001)], verbose_name='seek')),
                ('rotation_ms', models.FloatField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(0.001)], verbose_name='rotation')),
                ('transfer_ms', models.FloatField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(0.001)], verbose_name='transfer')),
                ('pattern', models.CharField(max_length=120, verbose_name='model')),
                ('capacity_bytes', models.BigIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1)], verbose_name='capacity, bytes')),
                ('kind', models.CharField(blank=True, choices=[('nvme', 'NVMe SSD'), ('sata_ssd', 'SATA SSD'), ('sas_ssd', 'SAS SSD'), ('hdd', 'rotating disk'), ('cloud', 'cloud volume')], max_length=8, verbose_name='kind')),
                ('rated_terabytes_written', models.FloatField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(0.001)])),
                ('random_read_iops', models.FloatField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(0.001)])),
                ('random_write_iops', models.FloatField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(0.001)])),
                ('sequential_read_rate', models.FloatField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(0.001)])),
                ('sequential_write_rate', models.FloatField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(0.001)])),
                ('over_provisioning_percent', models.FloatField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(1000)])),
                ('slowest_fill_rate', models.FloatField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(0.001)])),
                ('spr_op', models.FloatField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(1)])),
                ('source', models.CharField(max_length=300, verbose_name='source')),
            ],
            options={
                'verbose_name_plural': 'catalogue entries',
                'ordering': ['pattern', 'capacity_bytes'],
                'abstract': False,
                'constraints': [models.UniqueConstraint(fields=('pattern', 'capacity_bytes'), name='one_entry_per_pattern_and_capacity', nulls_distinct=False, violation_error_message='There is an entry with this pattern and capacity already.')],
            },
        ),
    ]

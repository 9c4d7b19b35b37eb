from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='LakeExport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('location', models.CharField(max_length=500)),
                ('people', models.BooleanField()),
                ('version', models.CharField(max_length=40)),
                ('started_at', models.DateTimeField(auto_now_add=True)),
                ('ended_at', models.DateTimeField(null=True)),
                ('error', models.TextField(blank=True)),
                ('months', models.PositiveIntegerField(null=True)),
                ('files', models.PositiveIntegerField(null=True)),
                ('rows', models.BigIntegerField(null=True)),
                ('size_bytes', models.BigIntegerField(null=True)),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
    ]

import django.db.models.deletion
import uuid
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='Blob',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('sha256', models.CharField(help_text='Of the uncompressed bytes.', max_length=64)),
                ('size_bytes', models.BigIntegerField()),
                ('compressed_bytes', models.BigIntegerField()),
                ('store', models.CharField(choices=[('postgresql', 'PostgreSQL'), ('files', 'files'), ('s3', 'S3')], max_length=12)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='StoreIdentity',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('token', models.UUIDField(default=uuid.uuid4, editable=False)),
            ],
        ),
        migrations.CreateModel(
            name='BlobContent',
            fields=[
                ('blob', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='stored', serialize=False, to='blobs.blob')),
                ('content', models.BinaryField()),
            ],
        ),
        migrations.AddIndex(
            model_name='blob',
            index=models.Index(fields=['store', 'id'], name='idx_blob_store'),
        ),
        migrations.AddConstraint(
            model_name='blob',
            constraint=models.UniqueConstraint(fields=('sha256',), name='uniq_blob_sha256'),
        ),
    ]

import uuid
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='ResultsVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('results', models.BigIntegerField(default=0)),
                ('names', models.BigIntegerField(default=0)),
                ('epoch', models.UUIDField(default=uuid.uuid4)),
            ],
        ),
    ]

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('runs', '0002_several_hosts_and_imports'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='artifact',
            index=models.Index(fields=['sha256'], name='artifacts_by_content'),
        ),
    ]

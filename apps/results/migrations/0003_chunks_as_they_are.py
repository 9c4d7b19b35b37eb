# float32 values hardly shrink, and trying costs more than writing them: no compression.

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('results', '0002_parts'),
    ]

    operations = [
        migrations.RunSQL(
            'ALTER TABLE results_serieschunk ALTER COLUMN "values" SET STORAGE EXTERNAL',
            'ALTER TABLE results_serieschunk ALTER COLUMN "values" SET STORAGE EXTENDED',
        ),
    ]

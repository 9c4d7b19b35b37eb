from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("imports", "0010_results_apart")]

    operations = [migrations.DeleteModel(name="ImportMeasurement")]

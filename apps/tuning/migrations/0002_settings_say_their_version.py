"""Settings are stored with the version of their shape (apps.tuning.contract): lists before, whose
first rows were all of a disk's queue and did not say so.
"""

from django.db import migrations

FORWARDS = """
UPDATE tuning_tuningprofile SET settings = jsonb_build_object('version', 1, 'rows', (
    SELECT coalesce(jsonb_agg('{"kind": "queue"}'::jsonb || row ORDER BY place), '[]')
    FROM jsonb_array_elements(settings) WITH ORDINALITY AS rows (row, place)))
WHERE jsonb_typeof(settings) = 'array'
"""
BACKWARDS = """
UPDATE tuning_tuningprofile SET settings = settings -> 'rows'
WHERE jsonb_typeof(settings) = 'object'
"""


class Migration(migrations.Migration):
    dependencies = [("tuning", "0001_initial")]
    operations = [migrations.RunSQL(FORWARDS, BACKWARDS)]

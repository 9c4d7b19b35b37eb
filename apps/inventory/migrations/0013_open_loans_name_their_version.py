"""Loans that are open are looked for by what their column holds: all rows name their version."""

from django.db import migrations

FORWARDS = """
UPDATE inventory_host SET open_loans = jsonb_build_object('version', 1, 'rows', open_loans)
WHERE jsonb_typeof(open_loans) = 'array'
"""
BACKWARDS = """
UPDATE inventory_host SET open_loans = open_loans->'rows'
WHERE jsonb_typeof(open_loans) = 'object'
"""


class Migration(migrations.Migration):
    dependencies = [("inventory", "0012_restarts_of_daemons")]

    operations = [migrations.RunSQL(FORWARDS, BACKWARDS)]

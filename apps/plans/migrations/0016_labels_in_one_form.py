"""Labels of workloads in the one form that all tools and origins share."""

from __future__ import annotations

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

MOST = 1_000
LONGEST = 200


def relabel(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    from apps.tools.registry import tool  # noqa: PLC0415 # only while it runs
    from apps.tools.workloads.short import stored_label  # noqa: PLC0415 # only while it runs

    workloads = apps.get_model("plans", "Workload")
    changed = []
    for row in workloads.objects.order_by("pk").iterator(chunk_size=MOST):
        label = stored_label(tool(row.tool), row.params)[:LONGEST]
        if label not in ("", row.label):
            row.label = label
            changed.append(row)
        if len(changed) >= MOST:
            workloads.objects.bulk_update(changed, ["label"])
            changed = []
    workloads.objects.bulk_update(changed, ["label"])


class Migration(migrations.Migration):
    dependencies = [("plans", "0015_baseline")]

    operations = [migrations.RunPython(relabel, migrations.RunPython.noop, elidable=True)]

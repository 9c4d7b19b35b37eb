"""Labels of workloads in the one form that all tools and origins share."""

from __future__ import annotations

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

MOST = 1_000
LONGEST = 200


def relabel(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    from apps.plans.cases.labels import Labelled, parts_of  # noqa: PLC0415 # only while it runs
    from apps.tools.workloads.naming import joined  # noqa: PLC0415 # only while it runs

    workloads = apps.get_model("plans", "Workload")
    changed = []
    for row in workloads.objects.order_by("pk").iterator(chunk_size=MOST):
        label = joined(parts_of(Labelled(row.tool, row.params, row.label)))[:LONGEST]
        if label != row.label:
            row.label = label
            changed.append(row)
        if len(changed) >= MOST:
            workloads.objects.bulk_update(changed, ["label"])
            changed = []
    workloads.objects.bulk_update(changed, ["label"])


class Migration(migrations.Migration):
    dependencies = [("plans", "0015_baseline")]

    operations = [migrations.RunPython(relabel, migrations.RunPython.noop, elidable=True)]

"""The shared parts of a run's cases stand once: its targets with their members, and its tunings.

The old columns lose their indexes first: the next migration writes every case.
"""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models

PROTECT, CASCADE = django.db.models.deletion.PROTECT, django.db.models.deletion.CASCADE
SET_NULL = django.db.models.deletion.SET_NULL
OLD_KEYS = {
    "host": ("inventory.host", False, PROTECT),
    "disk": ("inventory.disk", True, PROTECT),
    "directory": ("inventory.directory", True, PROTECT),
    "pool": ("inventory.pool", True, PROTECT),
    "pair": ("inventory.hostpair", True, PROTECT),
    "group": ("inventory.targetgroup", True, PROTECT),
    "tuning": ("tuning.tuningprofile", True, SET_NULL),
}


def key() -> models.BigAutoField:
    return models.BigAutoField(
        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
    )


def link(to: str, on_delete=CASCADE, **more) -> models.ForeignKey:
    return models.ForeignKey(to=to, on_delete=on_delete, **more)


class Migration(migrations.Migration):
    dependencies = [
        ("inventory", "0008_targets_of_rows"),
        ("plans", "0005_targets_by_key"),
        ("tuning", "0001_initial"),
        ("runs", "0012_fewer_indexes"),
    ]

    operations = [
        migrations.CreateModel(
            name="RunTarget",
            fields=[
                ("id", key()),
                ("position", models.PositiveIntegerField()),
                ("kind", models.CharField(blank=True, max_length=20)),
                ("name", models.CharField(blank=True, max_length=500)),
                ("run", link("runs.run", related_name="targets", db_index=False)),
                ("target", link("inventory.target", PROTECT, null=True, related_name="run_targets")),
            ],
            options={
                "ordering": ["run", "position"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=["run", "position"], name="run_targets_are_numbered"
                    ),
                    models.UniqueConstraint(
                        fields=["run", "target"], name="a_run_names_a_target_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(target__isnull=True) | ~models.Q(kind=""),
                        name="a_known_target_has_a_kind",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Member",
            fields=[
                ("id", key()),
                ("position", models.PositiveIntegerField()),
                (
                    "role",
                    models.CharField(
                        choices=[("client", "client"), ("server", "server")],
                        default="client",
                        max_length=6,
                    ),
                ),
                ("host_name", models.CharField(blank=True, max_length=64)),
                ("kind", models.CharField(blank=True, max_length=20)),
                ("label", models.CharField(blank=True, max_length=500)),
                ("identity", models.CharField(blank=True, max_length=400)),
                ("size", models.BigIntegerField(null=True)),
                ("make", models.JSONField(null=True)),
                ("host", link("inventory.host", PROTECT, related_name="+", db_index=False)),
                (
                    "target",
                    link(
                        "inventory.target",
                        PROTECT,
                        null=True,
                        related_name="memberships",
                        db_index=False,
                    ),
                ),
                ("run_target", link("runs.runtarget", related_name="members", db_index=False)),
            ],
            options={
                "ordering": ["run_target", "position"],
                "indexes": [
                    models.Index(fields=["host", "run_target"], name="members_of_a_host"),
                    models.Index(fields=["target", "run_target"], name="members_of_a_target"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=["run_target", "position"], name="members_are_numbered"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(role__in=["client", "server"]),
                        name="a_member_is_client_or_server",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="RunTuning",
            fields=[
                ("id", key()),
                ("position", models.PositiveIntegerField()),
                ("name", models.CharField(blank=True, max_length=80)),
                ("settings", models.JSONField(default=list)),
                ("settle", models.FloatField(default=0.0)),
                ("run", link("runs.run", related_name="tunings", db_index=False)),
                (
                    "tuning",
                    link("tuning.tuningprofile", SET_NULL, null=True, related_name="in_runs"),
                ),
            ],
            options={
                "ordering": ["run", "position"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=["run", "position"], name="run_tunings_are_numbered"
                    ),
                    models.UniqueConstraint(
                        fields=["run", "tuning"], name="a_run_names_a_tuning_once"
                    ),
                ],
            },
        ),
        *(
            migrations.AlterField(
                "case",
                name,
                link(to, on_delete, null=null, related_name="cases", db_index=False),
            )
            for name, (to, null, on_delete) in OLD_KEYS.items()
        ),
        migrations.AddField(
            "case",
            "run_target",
            link("runs.runtarget", null=True, related_name="cases", db_index=False),
        ),
        migrations.AddField(
            "case",
            "run_tuning",
            link("runs.runtuning", null=True, related_name="cases", db_index=False),
        ),
    ]

"""`manage.py lake DIR|s3://bucket/prefix`: export the archive as Parquet files."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.common.errors import ServiceError
from apps.lake.services.export import lake_estimate, lake_export
from apps.lake.services.plan import LakeEstimate


class Command(BaseCommand):
    help = "Export the archive as Parquet files for DuckDB, Spark and pyarrow."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("location", metavar="DIR|s3://BUCKET/PREFIX")
        parser.add_argument(
            "--do", action="store_true", help="write; without it: say what would be"
        )
        parser.add_argument(
            "--people",
            action="store_true",
            help="with names and addresses of users, notes, reasons, and all facts of hosts",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        wanted = {"location": options["location"], "people": options["people"]}
        try:
            if options["do"]:
                self._write(wanted)
            else:
                self._print(lake_estimate(**wanted))
        except (ServiceError, OSError) as error:
            raise CommandError(str(error)) from None

    def _write(self, wanted: dict[str, Any]) -> None:
        made = lake_export(**wanted, report=self.stdout.write)
        size = (made.size_bytes or 0) / 1e6
        self.stdout.write(
            f"{made.location}: {made.months} months written; {made.files} files, {made.rows} rows, "
            f"{size:.1f} MB in all"
        )

    def _print(self, result: LakeEstimate) -> None:
        for plan in result.months:
            self.stdout.write(f"{plan.month}: {', '.join(table.name for table in plan.write)}")
        for name, rows in result.rows.items():
            self.stdout.write(f"{name}: {rows} rows, about {result.size_bytes[name] / 1e6:.1f} MB")
        for month in result.deleted_months:
            self.stdout.write(f"{month}: has no more rows and is left out")
        rows, size = sum(result.rows.values()), sum(result.size_bytes.values())
        self.stdout.write(
            f"would write {len(result.months)} months, {rows} rows, about {size / 1e6:.1f} MB; "
            "--do writes them"
        )

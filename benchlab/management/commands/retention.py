"""`manage.py retention`: list the retention rules, their rows and what is due, or apply them."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from benchlab.ops.retention import retention_table


class Command(BaseCommand):
    help = "List how long the rows of each model are kept, with their number and how many are due."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--apply", action="store_true", help="delete what is due")

    def handle(self, *args: Any, **options: Any) -> None:
        table = retention_table()
        width = max(len(rule.model._meta.label) for rule in table)
        verb = "deleted" if options["apply"] else "due"
        self.stdout.write(f"{'model':{width}} {'rows':>12} {verb:>10}  kept")
        for rule in table:
            count = rule.model._default_manager.count()
            done = rule.apply() if options["apply"] else rule.due()
            number = str(done.rows) if rule.task else ""
            remark = f" ({done.remark})" if done.remark else ""
            label = rule.model._meta.label
            self.stdout.write(f"{label:{width}} {count:>12} {number:>10}  {rule.period}{remark}")

"""`manage.py demo`: run the demonstration and print its results. Needs a worker (bin/demo)."""

from __future__ import annotations

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse

from apps.accounts.models import Role, User
from apps.analysis.presenters.comparison_terminal import comparison_lines
from apps.analysis.verdicts.comparison import compare_runs
from apps.plans.models import TestPlan
from apps.reports.models import SavedReport
from apps.runs.models import Run, RunState
from apps.runs.services.runs import run_launch
from benchlab.env import env_str
from benchlab.ops.demo.earlier import earlier_run
from benchlab.ops.demo.lab import DemoFailed, prepare
from benchlab.ops.demo.plans import REPEATS, plans
from benchlab.ops.demo.report import Runs, demo_report, questions
from benchlab.ops.demo.watch import follow

UNFINISHED = (RunState.QUEUED, RunState.RUNNING, RunState.SUCCEEDED)


class Command(BaseCommand):
    help = "Measure tunings and queue depths on a disk of this machine's own, and report."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--repeats", type=int, default=REPEATS, metavar="N",
            help=f"repeats of the comparison ({REPEATS}; fewer show no verdict)",
        )  # fmt: skip

    def handle(self, *args: Any, **options: Any) -> None:
        admin = User.objects.filter(role=Role.ADMIN, is_active=True).order_by("pk").first()
        if admin is None:
            raise CommandError("There is no admin yet: run manage.py create_first_admin first.")
        try:
            runs = self._runs(admin, options["repeats"])
        except DemoFailed as error:
            raise CommandError(str(error)) from error
        self._show(runs, demo_report(admin, runs))

    def _runs(self, admin: User, repeats: int) -> Runs:
        """Return every ended run of the demonstration."""
        pair = plans(admin, prepare(admin, self._say), repeats)
        compared, deepened = self._run(pair.tunings, admin), self._run(pair.depths, admin)
        earlier = earlier_run(admin)
        self._say(f"Run {earlier.pk}: a result measured elsewhere, imported.")
        for run in (compared, deepened):
            follow(run, self._say)
        return Runs(compared, pair.factor, deepened, earlier)

    def _run(self, plan: TestPlan, admin: User) -> Run:
        """Return the plan's run: a new one, unless one succeeded or is running."""
        earlier = plan.runs.filter(state__in=UNFINISHED).order_by("-pk").first()
        if earlier is not None:
            self._say(f"Run {earlier.pk} of an earlier start is there already.")
            return earlier
        run = run_launch(plan=plan, user=admin, note="Launched by bin/demo.")
        words = f"{run.case_count} cases, about {run.expected_seconds:.0f} s"
        self._say(f"Run {run.pk}: {plan.name.partition(': ')[2]}, {words}.")
        return run

    def _show(self, runs: Runs, report: SavedReport) -> None:
        comparison = compare_runs(runs=[runs.tunings.pk], factor=runs.factor)
        self._say("")
        for line in comparison_lines(comparison):
            self._say(line)
        self._say("")
        self._say_address("Report", reverse("report_detail", args=[report.pk]))
        for title, (view, query) in questions(runs).items():
            self._say_address(title, f"{reverse(view)}?{query}")
        call_command("create_first_admin", stdout=self.stdout)

    def _say_address(self, title: str, path: str) -> None:
        self._say(f"{title}: http://127.0.0.1:{env_str('BENCHLAB_PORT', '8000')}{path}")

    def _say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()

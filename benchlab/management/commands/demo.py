"""`manage.py demo`: launch the demonstration, watch it, print what was measured. Needs a worker
(bin/demo starts it).
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse

from apps.accounts.models import Role, User
from apps.analysis.compare.comparison import compare_runs
from apps.analysis.compare.text import comparison_lines
from apps.runs.models import Run, RunState
from apps.runs.services import run_launch
from benchlab.demo.lab import DemoFailed, Lab, prepare
from benchlab.demo.watch import follow
from benchlab.env import env_str


class Command(BaseCommand):
    help = "Measure two tunings of a disk of this machine's own, and compare them."

    def handle(self, *args: Any, **options: Any) -> None:
        admin = User.objects.filter(role=Role.ADMIN, is_active=True).order_by("pk").first()
        if admin is None:
            raise CommandError("There is no admin yet: run manage.py first_admin first.")
        try:
            lab = prepare(admin, self._say)
            run = follow(self._run(lab, admin), self._say)
        except DemoFailed as error:
            raise CommandError(str(error)) from error
        self._show(run, lab)

    def _run(self, lab: Lab, admin: User) -> Run:
        """The demonstration's run: a new one, unless an earlier one has succeeded or still runs."""
        unfinished = [RunState.QUEUED, RunState.RUNNING, RunState.SUCCEEDED]
        earlier = lab.plan.runs.filter(state__in=unfinished).order_by("-pk").first()
        if earlier is not None:
            self._say(f"Run {earlier.pk} of an earlier start is there already.")
            return earlier
        run = run_launch(plan=lab.plan, user=admin, note="Launched by bin/demo.")
        self._say(f"Run {run.pk}: {run.case_count} cases, about {run.expected_seconds:.0f} s.")
        return run

    def _show(self, run: Run, lab: Lab) -> None:
        comparison = compare_runs(runs=[run.pk], factor=lab.factor)
        self._say("")
        for line in comparison_lines(comparison):
            self._say(line)
        query = urlencode({"run": run.pk, "factor": lab.factor})
        address = f"http://127.0.0.1:{env_str('BENCHLAB_PORT', '8000')}"
        self._say("")
        self._say(f"Comparison: {address}{reverse('compare')}?{query}")
        call_command("first_admin", stdout=self.stdout)

    def _say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()

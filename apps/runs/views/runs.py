"""Pages of runs: list, detail, and fragments for polling."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response, set_response_etag
from django.views.decorators.cache import cache_control
from django.views.decorators.http import condition, require_safe

from apps.accounts.models import Role
from apps.accounts.permissions import role_required, user_of
from apps.bookings.presenters import queue_tabs
from apps.common.web.etags import page_etag
from apps.common.web.lists import list_page
from apps.common.web.page_context import page_context
from apps.plans.presenters.plan_text import plan_lines
from apps.runs.filters import RUN_COLUMNS, RunFilter
from apps.runs.forms import NoteForm, RepeatsForm, UntilForm
from apps.runs.models import Priority, Run, RunState
from apps.runs.presenters.bars import progress_bar
from apps.runs.presenters.case_counts import run_counted, states_of
from apps.runs.presenters.case_rows import failure_rows, now_rows
from apps.runs.presenters.case_table import case_table, views_of_cases
from apps.runs.presenters.event_log import newest_events
from apps.runs.presenters.extension import deciding_choices, decisions_of
from apps.runs.presenters.queue import forecast_line
from apps.runs.presenters.run_facts import (
    has_pairs,
    plan_json,
    plan_steps,
    run_facts,
    targets_in_plan,
    tunings_in_plan,
)
from apps.runs.presenters.run_rows import run_rows
from apps.runs.presenters.workloads import has_table, labels_of, run_workloads, swept
from apps.runs.selectors.approvals import has_approval
from apps.runs.selectors.forecasts import queue_forecast
from apps.runs.selectors.queue import runs_open
from apps.runs.selectors.runs import (
    attempts_open,
    measured_workloads,
    run_progress,
    runs_listed,
    runs_visible,
)
from apps.runs.selectors.unresponsive_hosts import abandoned_open, blocking_hosts, parsing_attempts
from apps.runs.services.archive import may_delete
from apps.runs.services.extension import may_repeat

STOP_POLLING = 286
PARTS = ("status", "cases", "facts", "events")
ROWS = 50
QUEUE = 20
EVENT_LIMIT = 100


@require_safe
@login_required
def run_list(request: HttpRequest) -> HttpResponse:
    result = RunFilter(request.GET, queryset=runs_listed())
    page = list_page(
        result.qs, request, RUN_COLUMNS, size=ROWS, of_many=runs_listed(), selects="run"
    )
    active = [] if request.GET else list(runs_open(timezone.now())[:QUEUE])
    rows = run_rows([*active, *page.rows])
    context = {
        "filter": result,
        "page": page,
        "rows": rows[len(active) :],
        "queue": rows[: len(active)],
        "tabs": queue_tabs(),
    }
    return render(request, "runs/run_list.html", context)


@require_safe
@login_required
def run_queue(request: HttpRequest) -> HttpResponse:
    """Return running and queued runs, for polling."""
    context = {"queue": run_rows(list(runs_open(timezone.now())[:QUEUE]))}
    return render(request, "runs/partials/queue.html", context)


def run_etag(request: HttpRequest, pk: int) -> str | None:
    """Return the ETag of an ended run, else None."""
    run = Run.objects.only("state", "results_version").filter(pk=pk).first()
    if run is None or not run.is_final:
        return None
    return page_etag(request, pk, run.results_version)


@require_safe
@login_required
@cache_control(private=True, no_cache=True)
@condition(etag_func=run_etag)
def run_detail(request: HttpRequest, pk: int) -> HttpResponse:
    run = _run(pk)
    context = _for_reader(request, run) | {
        "steps": plan_steps(run),
        "lines": plan_lines(run.spec),
        "targets": targets_in_plan(run),
        "tunings": tunings_in_plan(run),
        "plan_json": plan_json(run),
        "note_form": NoteForm(initial={"note": run.note}),
    }
    for part in PARTS:
        context |= _part(run, part, request.GET, editing=bool(context["may_edit"]))
    return render(request, "runs/run_detail.html", context)


@require_safe
@login_required
def run_fragment(request: HttpRequest, pk: int, part: str) -> HttpResponse:
    """Return a part of a run's page; status 286 stops the polling of an ended run."""
    if part not in PARTS:
        raise Http404(part)
    run = _run(pk)
    status = STOP_POLLING if run.is_final else 200
    context = _for_reader(request, run)
    context |= _part(run, part, request.GET, editing=bool(context["may_edit"]))
    response = render(request, f"runs/partials/{part}.html", context, status=status)
    if run.is_final:
        return response
    set_response_etag(response)
    etag = response.headers["ETag"]
    unchanged = get_conditional_response(request, etag=etag, response=response)
    return unchanged or response


@require_safe
@role_required(Role.OPERATOR)
def run_measure(request: HttpRequest, pk: int) -> HttpResponse:
    """Redirect to the form of a plan that repeats the workloads of a run."""
    run = get_object_or_404(runs_visible(), pk=pk)
    query = QueryDict(mutable=True)
    query.setlist("workload", [str(each) for each in measured_workloads(run)])
    query["name"] = run.name
    return redirect(f"{reverse('plan_new')}?{query.urlencode()}")


def _run(pk: int) -> Run:
    runs = runs_visible().select_related("wipe_confirmed_by", "cancel_requested_by")
    return get_object_or_404(runs.annotate(has_approval=has_approval()), pk=pk)


def _for_reader(request: HttpRequest, run: Run) -> dict[str, object]:
    """Return the run and the permissions of the user."""
    user = user_of(request)
    may_edit = run.is_editable(user)
    return {
        "run": run,
        "may_edit": may_edit,
        "may_delete": may_delete(run, user),
        "may_abandon": user.is_admin,
        "may_again": may_edit and may_repeat(run),
    }


def _part(run: Run, part: str, query: QueryDict, *, editing: bool) -> dict[str, object]:
    """Return the context of a part of the page; `editing`: the user may change the run."""
    if part == "status":
        return _status(run, editing=editing) | page_context("run_status", run)
    if part == "cases":
        views = views_of_cases() if run.is_final else []
        return {
            "table": case_table(run, query),
            "views_of_cases": views,
            "repeats_of_cases_form": RepeatsForm(auto_id="again-%s"),
        }
    if part == "facts":
        return {"facts": run_facts(run)}
    lines, more = newest_events(run, EVENT_LIMIT)
    return {"events": lines, "has_more_events": more}


def _status(run: Run, *, editing: bool) -> dict[str, object]:
    progress = run_progress(run, states_of(run_counted(run)))
    workloads = run_workloads(run) if progress.succeeded or not run.is_final else ()
    decisions = decisions_of(run)
    return {
        "progress": progress,
        "line": forecast_line(run, {} if run.state != RunState.QUEUED else queue_forecast()),
        "priority_choices": Priority.choices,
        "bar": progress_bar(progress),
        "swept": len(swept(workloads)) if progress.succeeded else 0,
        "has_table": bool(progress.succeeded) and has_table(workloads),
        "now": [] if run.is_final else now_rows(attempts_open(run), labels_of(workloads)),
        "failures": failure_rows(run) if progress.bad else [],
        "has_pairs": has_pairs(run),
        "has_rounds": bool(run.spec.steady_state or run.spec.preconditioning.max_aging_rounds),
        "may_add": may_repeat(run) and progress.total > 0,
        "may_retry": run.is_final and not run.is_imported and progress.has_left,
        "repeats_form": RepeatsForm(auto_id="more-%s"),
        "until_form": UntilForm(auto_id="more-%s"),
        "deciding": deciding_choices(run, decisions, swept(workloads)) if editing else [],
        "decided": decisions.factor,
        "decision": decisions.newest,
        "state": "cancelling" if run.is_cancelling else run.state,
        "blocking_hosts": blocking_hosts(run),
        "is_parsed_long": bool(parsing_attempts(run)),
        "abandoned_attempts": list(abandoned_open(run)) if progress.unconfirmed else [],
    }

"""Pages of alerts."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from apps.accounts.models import Role, User
from apps.accounts.permissions import require_editable, role_required, user_of
from apps.alerts.filters import ALERT_COLUMNS
from apps.alerts.forms import AlertForm
from apps.alerts.models import ENDED_STATES, Alert, AlertNotification
from apps.alerts.selectors.alerts import alerts_visible, query_error
from apps.alerts.services.alerts import alert_delete, alert_save, alert_send_test
from apps.common.forms import made
from apps.common.web.lists import list_page

MAX_NOTIFICATIONS = 50
STOP_POLLING = 286


@require_safe
@login_required
def alert_list(request: HttpRequest) -> HttpResponse:
    page = list_page(alerts_visible(), request, ALERT_COLUMNS)
    return render(request, "alerts/alert_list.html", {"page": page})


@require_safe
@login_required
def alert_detail(request: HttpRequest, pk: int) -> HttpResponse:
    """Render an alert, its recipients, and its newest notifications."""
    alert = get_object_or_404(alerts_visible(), pk=pk)
    notifications = list(alert.notifications.select_related("run")[:MAX_NOTIFICATIONS])
    context = {
        "alert": alert,
        "notifications": notifications,
        "is_sending": any(one.state == AlertNotification.State.WAITING for one in notifications),
        "editable": alert.is_editable(user_of(request)),
        "query_error": query_error(alert),
    }
    is_part = request.GET.get("part") == "notifications"
    template = "alerts/partials/notifications.html" if is_part else "alerts/alert_detail.html"
    status = STOP_POLLING if is_part and not context["is_sending"] else 200
    return render(request, template, context, status=status)


@role_required(Role.OPERATOR)
def alert_new(request: HttpRequest) -> HttpResponse:
    """Create an alert; the query of the page that links here names the scope.

    With a plan, a run or a team the form proposes a message at the end of a run to the user.
    """
    return _form(request, None, _proposed(request.GET, user_of(request)))


def _proposed(query: QueryDict, user: User) -> dict[str, object]:
    values: dict[str, object] = {
        name: query.get(name, "").replace("\0", "")
        for name in ("view", "query", "name", "plan", "run", "run_team")
    }
    if any(values[name] for name in ("plan", "run", "run_team")):
        conditions = ("on_change", "on_expectation_missed", "on_failed", "on_unhealthy")
        values |= dict.fromkeys(conditions, False)
        values |= {"on_ended": [value for value, _label in ENDED_STATES], "mail": user.email}
    return values


@role_required(Role.OPERATOR)
def alert_edit(request: HttpRequest, pk: int) -> HttpResponse:
    """Change an alert."""
    alert = get_object_or_404(alerts_visible(), pk=pk)
    require_editable(alert, user_of(request))
    return _form(request, alert, {})


def _form(request: HttpRequest, alert: Alert | None, proposed: dict[str, object]) -> HttpResponse:
    user = user_of(request)
    form = AlertForm(
        request.POST if request.method == "POST" else None,
        user=user,
        instance=Alert.objects.get(pk=alert.pk) if alert else None,
        initial=proposed,
    )
    had_secret = alert is not None and bool(alert.webhook_secret)
    saved = made(form, lambda: alert_save(user=user, fields=form.cleaned_data, alert=alert))
    if saved:
        if had_secret and saved.webhook and not saved.webhook_secret:
            text = _("The secret was that of another receiver. It is removed.")
            messages.warning(request, text)
        return redirect("alert_detail", saved.pk)
    status = 400 if form.errors else 200
    return render(request, "alerts/alert_form.html", {"alert": alert, "form": form}, status=status)


@require_POST
@role_required(Role.OPERATOR)
def alert_remove(request: HttpRequest, pk: int) -> HttpResponse:
    alert = get_object_or_404(alerts_visible(), pk=pk)
    alert_delete(alert=alert, user=user_of(request))
    messages.success(request, _("The alert is deleted."))
    return redirect("alert_list")


@require_POST
@role_required(Role.OPERATOR)
def alert_test(request: HttpRequest, pk: int) -> HttpResponse:
    """Create a test notification."""
    alert = get_object_or_404(alerts_visible(), pk=pk)
    alert_send_test(alert=alert, user=user_of(request))
    messages.success(request, _("The test notification is on its way. Its state is shown below."))
    return redirect("alert_detail", alert.pk)

"""Forms of reports, sections and share links."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from apps.accounts.forms import team_field
from apps.accounts.models import User
from apps.common.forms import Cleaned
from apps.reports.models import SavedReport
from apps.reports.selectors.reports import reports_changeable
from apps.reports.services import MAX_LINK_DAYS, ReportDraft, SectionDraft, draft_of


class ReportForm(forms.ModelForm):  # type: ignore[type-arg] # Django's forms take no type at run time
    """A report without its sections."""

    class Meta:
        model = SavedReport
        fields = ("title", "text", "team", "dashboard_scope")

    def __init__(self, data: Any = None, *, user: User, report: SavedReport | None = None) -> None:
        super().__init__(data, instance=report)
        self.fields["team"] = team_field(user)

    def clean(self) -> dict[str, Any] | None:
        data = super().clean()
        if (
            data
            and data.get("dashboard_scope") == SavedReport.DashboardScope.TEAM
            and not data.get("team")
        ):
            self.add_error("dashboard_scope", _("Choose a team as well."))
        return data

    def draft(self, old: ReportDraft | None) -> ReportDraft:
        """Return the submitted report with the sections of `old`."""
        data = self.cleaned_data
        sections = old.sections if old else ()
        scope = data["dashboard_scope"]
        return ReportDraft(data["title"], data["text"], scope, data["team"], sections)


class SectionForm(forms.Form):
    """Title and text of a section; the page of an analysis view adds `view` and `query`."""

    title = forms.CharField(label=lazy("Title"), max_length=160, required=False)
    text = forms.CharField(
        label=lazy("Text"), required=False, widget=forms.Textarea,
        help_text=lazy("Markdown: **bold**, - lists, | tables |. Stands before the figures."),
    )  # fmt: skip
    view = forms.CharField(widget=forms.HiddenInput, required=False, max_length=20)
    query = forms.CharField(widget=forms.HiddenInput, required=False)

    def draft(self) -> SectionDraft:
        """Return the submitted section."""
        data = self.cleaned_data
        return SectionDraft(data["title"], data["text"], data["view"], data["query"])


class SectionAddForm(SectionForm):
    """Section to add to an existing report or to a new one."""

    report = forms.ModelChoiceField(
        queryset=SavedReport.objects.none(),
        required=False,
        label=lazy("Report"),
        empty_label=lazy("a new one"),
    )
    new = forms.CharField(label=lazy("Title of the new report"), max_length=120, required=False)
    field_order = ("report", "new", "title", "text")

    def __init__(self, data: Any = None, *, user: User, initial: Any = None) -> None:
        super().__init__(data, initial=initial)
        field = self.fields["report"]
        assert isinstance(field, forms.ModelChoiceField)  # it is declared so above
        field.queryset = reports_changeable(user)

    def clean(self) -> Cleaned | None:
        data = super().clean()
        if data and not data.get("report") and not (data.get("new") or "").strip():
            self.add_error("new", _("Give the new report a title, or choose one that exists."))
        return data

    def report_draft(self) -> ReportDraft:
        """Return the report with this section appended."""
        report = self.cleaned_data["report"]
        old = draft_of(report) if report else ReportDraft(self.cleaned_data["new"])
        sections = (*old.sections, self.draft())
        return ReportDraft(old.title, old.text, old.dashboard_scope, old.team, sections)


class ShareLinkForm(forms.Form):
    days = forms.IntegerField(
        label=lazy("Open for (days)"), min_value=1, max_value=MAX_LINK_DAYS, initial=14
    )
    freeze = forms.BooleanField(label=lazy("Freeze the present results"), required=False)

"""Forms of reports, their sections and links."""

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
from apps.reports.services import MOST_DAYS, ReportDraft, SectionDraft, draft_of


class ReportForm(forms.ModelForm):  # type: ignore[type-arg] # Django's forms take no type at run time
    """A report without its sections."""

    class Meta:
        model = SavedReport
        fields = ("title", "text", "team", "home")

    def __init__(self, data: Any = None, *, user: User, report: SavedReport | None = None) -> None:
        super().__init__(data, instance=report)
        self.fields["team"] = team_field(user)

    def clean(self) -> dict[str, Any] | None:
        data = super().clean()
        if data and data.get("home") == SavedReport.Home.TEAM and not data.get("team"):
            self.add_error("home", _("Choose a team as well."))
        return data

    def draft(self, sections: ReportDraft | None) -> ReportDraft:
        """The draft with the sections of the one it was."""
        data = self.cleaned_data
        kept = sections.sections if sections else ()
        return ReportDraft(data["title"], data["text"], data["home"], data["team"], kept)


class SectionForm(forms.Form):
    """A section's words; its question comes from the page of an answer."""

    title = forms.CharField(label=lazy("Title"), max_length=160, required=False)
    text = forms.CharField(
        label=lazy("Text"), required=False, widget=forms.Textarea,
        help_text=lazy("Markdown: **bold**, - lists, | tables |. Stands before the figures."),
    )  # fmt: skip
    view = forms.CharField(widget=forms.HiddenInput, required=False, max_length=20)
    query = forms.CharField(widget=forms.HiddenInput, required=False)

    def draft(self) -> SectionDraft:
        """The section as it was written."""
        data = self.cleaned_data
        return SectionDraft(data["title"], data["text"], data["view"], data["query"])


class KeepForm(SectionForm):
    """The report in which an answer is kept: one that exists, or a new one of this title."""

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
        """The report with this section behind the others."""
        report = self.cleaned_data["report"]
        old = draft_of(report) if report else ReportDraft(self.cleaned_data["new"])
        sections = (*old.sections, self.draft())
        return ReportDraft(old.title, old.text, old.home, old.team, sections)


class ShareForm(forms.Form):
    days = forms.IntegerField(
        label=lazy("Open for (days)"), min_value=1, max_value=MOST_DAYS, initial=14
    )

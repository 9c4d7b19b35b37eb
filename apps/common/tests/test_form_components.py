"""Forms on pages: label, help and errors of every field, tied to it for screen readers."""

from __future__ import annotations

from types import SimpleNamespace

from django import forms
from django.template.loader import render_to_string

from apps.common.templatetags.benchlab_forms import field_groups, widget_class


class PlanForm(forms.Form):
    groups = (("What", "What is measured.", ["name", "tool", "absent"]),)
    name = forms.CharField(help_text="Shown in every list.")
    tool = forms.ChoiceField(
        choices=[("fio", "fio")],
        widget=forms.Select(attrs={"class": "wide", "data-autocomplete": ""}),
    )
    kinds = forms.MultipleChoiceField(
        choices=[("r", "Read")], widget=forms.CheckboxSelectMultiple, required=False
    )
    expendable = forms.BooleanField(required=False)
    secret = forms.CharField(widget=forms.HiddenInput, required=False)


def fields_html(data: dict[str, str] | None = None) -> str:
    return render_to_string("components/form_fields.html", {"form": PlanForm(data)})


def test_every_field_has_its_label() -> None:
    html = fields_html()
    for name in ("name", "tool", "expendable"):
        assert f'id="id_{name}"' in html
    assert '<label class="form-label" for="id_name">Name' in html
    assert "<legend" in html


def test_help_and_errors_are_tied_to_the_field() -> None:
    html = fields_html({"name": "", "tool": "dd"})
    assert 'id="id_name_helptext">Shown in every list.' in html
    assert 'id="id_name_error"' in html
    assert 'aria-describedby="id_name_helptext id_name_error"' in html
    assert 'aria-invalid="true"' in html
    assert "is-invalid" in html


def test_a_widget_keeps_its_own_class() -> None:
    assert 'class="wide form-select"' in fields_html()


def test_errors_of_the_whole_form_come_first() -> None:
    form = PlanForm({"name": "a", "tool": "fio"})
    form.add_error(None, "No <disk> is enrolled.")
    html = render_to_string("components/form_fields.html", {"form": form})
    assert "No &lt;disk&gt; is enrolled." in html
    assert html.index("No &lt;disk&gt;") < html.index("id_name")


def test_a_field_that_no_group_names_comes_last() -> None:
    groups = list(field_groups(PlanForm()))
    assert [title for title, _, _ in groups] == ["What", ""]
    assert [field.name for field in groups[1][2]] == ["kinds", "expendable"]


def test_hidden_fields_are_there_without_a_label() -> None:
    html = fields_html()
    assert 'type="hidden" name="secret"' in html
    assert "Secret" not in html


def test_choices_with_labels_of_their_own_get_no_class() -> None:
    assert widget_class(forms.RadioSelect()) == ""
    assert widget_class(forms.CheckboxInput()) == "form-check-input"
    assert widget_class(forms.Textarea()) == "form-control"


def test_the_filter_bar_is_a_plain_get() -> None:
    bar = render_to_string(
        "components/filter_bar.html", {"filter": SimpleNamespace(form=PlanForm())}
    )
    assert 'method="get"' in bar
    assert 'for="id_tool"' in bar
    assert "form-select-sm" in bar
    assert "csrf" not in bar

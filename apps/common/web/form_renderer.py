"""Form widgets as HTML. Selects are written here: Django's templates include two others for each
option, which took a fifth of a page with a few pickers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from django.forms.renderers import TemplatesSetting
from django.http import HttpRequest
from django.utils.formats import localize
from django.utils.safestring import SafeData, SafeString

SELECT = "django/forms/widgets/select.html"
OPTION = "django/forms/widgets/select_option.html"
WidgetNames = Mapping[str, Any]
"""Names that a widget's template reads: Django's own, untyped."""


class WrittenSelects(TemplatesSetting):
    """Django's renderer with the project's templates; a plain select is what they would make."""

    def render(
        self, template_name: str, context: dict[str, Any], request: HttpRequest | None = None
    ) -> str:
        if template_name == SELECT and _is_plain(context["widget"]):
            return SafeString("".join(_select(context["widget"])))
        return super().render(template_name, context, request)


def _is_plain(widget: WidgetNames) -> bool:
    """Whether all options are Django's own."""
    return all(
        one["template_name"] == OPTION for _name, group, _at in widget["optgroups"] for one in group
    )


def _select(widget: WidgetNames) -> Iterator[str]:
    yield f'<select name="{_text(widget["name"])}"{_attributes(widget["attrs"])}>'
    for name, group, _index in widget["optgroups"]:
        if name:
            yield f'\n  <optgroup label="{_text(name)}">'
        for one in group:
            value, more = _text(one["value"]), _attributes(one["attrs"])
            yield f'\n  <option value="{value}"{more}>{_text(_shown(one["label"]))}</option>\n'
        if name:
            yield "\n  </optgroup>"
    yield "\n</select>"


def _attributes(attributes: Mapping[str, Any]) -> str:
    """False leaves an attribute out, True needs no value."""
    return "".join(
        f" {_text(name)}" if value is True else f' {_text(name)}="{_text(value)}"'
        for name, value in attributes.items()
        if value is not False
    )


def _text(value: Any) -> str:
    """A value as text of HTML; what is HTML already stays."""
    return str(value) if isinstance(value, SafeData) else escape(str(value))


def _shown(label: Any) -> Any:
    """A label as a template prints it."""
    return label if isinstance(label, str) else localize(label)

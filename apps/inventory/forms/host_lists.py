"""Forms for many hosts: the list with values for new hosts, and a text of trusted keys."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.common.forms.tags import tags_typed
from apps.inventory.domain.host_lists import FORMS, MAX_BYTES
from apps.inventory.forms.pasted_list import CODE, PastedListForm, list_field
from apps.inventory.models import Credential, Host
from apps.inventory.selectors.host_plan import AGENT, NEW_KEY, ListOptions

STORED = "key:"


class HostListForm(PastedListForm):
    """A list of hosts as text or file."""

    text = list_field(
        _("Hosts"),
        placeholder="node[01-20].rack2",
        help_text=_(
            "CSV with a first line such as name,address,port,user,jump,tags,key; node sets; an "
            "Ansible inventory; ssh_config; devices of NetBox. At most 1000 hosts. Nothing in it "
            "is executed."
        ),
    )
    form = forms.ChoiceField(label=_("Format"), required=False)
    known_hosts = forms.CharField(
        label=_("Trusted host keys"),
        required=False,
        strip=False,
        max_length=MAX_BYTES,
        widget=forms.Textarea(attrs={**CODE, "rows": 3}),
        help_text=_(
            "A known_hosts file that was made on a trusted network, or @cert-authority lines. "
            "Without it you compare the fingerprints afterwards, on one page."
        ),
    )
    user = forms.CharField(label=_("User"), max_length=32, initial="root")
    port = forms.IntegerField(label=_("Port"), min_value=1, max_value=65535, initial=22)
    privilege_mode = forms.ChoiceField(
        label=_("Rights"), choices=Host.PrivilegeMode.choices, initial=Host.PrivilegeMode.ROOT
    )
    key = forms.ChoiceField(label=_("Key"))
    jump = forms.ModelChoiceField(
        label=_("Jump host"),
        required=False,
        queryset=Host.objects.filter(kind=Host.Kind.SSH),
        empty_label=_("none"),
    )
    tag_words = forms.CharField(
        label=_("Tags"), required=False, max_length=400, help_text=_("Separated by spaces.")
    )

    groups = [
        (_("The list"), "", ["text", "file", "form"]),
        (_("Trust"), "", ["known_hosts"]),
        (
            _("For new hosts, where the list has no value"),
            "",
            ["user", "port", "privilege_mode", "key", "jump", "tag_words"],
        ),
    ]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        forms_field: Any = self.fields["form"]
        forms_field.choices = [("", _("detected from the content")), *FORMS.items()]
        keys: Any = self.fields["key"]
        keys.choices = [
            (NEW_KEY, _("make one new key pair for all of them")),
            (AGENT, Host.KeySource.AGENT.label),
            *((f"{STORED}{name}", name) for name in _key_names()),
        ]

    def clean_tag_words(self) -> list[str]:
        return tags_typed(self.cleaned_data["tag_words"])

    def options(self) -> ListOptions:
        """Return the list for the services."""
        values = self.cleaned_data
        return ListOptions(
            text=values["text"],
            form=values["form"],
            known_hosts=values["known_hosts"],
            user=values["user"],
            port=values["port"],
            privilege_mode=values["privilege_mode"],
            key=values["key"].removeprefix(STORED),
            jump=values["jump"].name if values["jump"] else "",
            tags=tuple(values["tag_words"]),
        )


def _key_names() -> list[str]:
    return list(Credential.objects.order_by("name").values_list("name", flat=True))


class ListedKeysForm(forms.Form):
    """Fingerprints or known_hosts lines of the hosts of a batch."""

    text = forms.CharField(
        label=_("Trusted output"),
        strip=False,
        max_length=MAX_BYTES,
        widget=forms.Textarea(attrs={**CODE, "rows": 6}),
        help_text=_(
            "The output of the line above on all hosts, with the name of the host before each "
            "line; or known_hosts lines. A key is trusted only for the host that it is listed for."
        ),
    )


class OneTimePasswordForm(forms.Form):
    """A password for the first login; it is never rendered again.

    A fresh login in between drops it: fresh_login.FIELDS_NOT_PASSED_ON.
    """

    one_time_password = forms.CharField(
        label=_("One-time password"),
        strip=False,
        max_length=1024,
        widget=forms.PasswordInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        help_text=_(
            "It is used now for one login on each selected host, and stored nowhere. Only a host "
            "that proves its trusted host key receives it."
        ),
    )

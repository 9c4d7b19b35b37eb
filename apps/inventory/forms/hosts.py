"""The form of a host: the machine, the connection and its key."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.common.domain.typed_text import narrow
from apps.common.forms import Cleaned, SecretTextarea
from apps.common.forms.tags import tags_typed
from apps.inventory.forms.fields import Suggesting
from apps.inventory.models import Credential, Host
from apps.inventory.selectors.labels import card_addresses
from apps.inventory.services import HostDraft, NewKey

DRAFT_FIELDS = ("name", "kind", "address", "user", "privilege_mode", "jump", "network_test_address")
NEW, PASTE, AGENT, STORED = "new", "paste", "agent", "credential:"


class HostForm(forms.ModelForm):  # type: ignore[type-arg] # Django's forms take no type at run time
    key = forms.ChoiceField(label=_("Key"), required=False)
    private_key = forms.CharField(
        label=_("Private key"),
        required=False,
        max_length=20_000,
        strip=False,
        widget=SecretTextarea(attrs={"rows": 6, "class": "mono", "spellcheck": "false"}),
        help_text=_(
            "Only for a pasted key: OpenSSH or PEM. It is encrypted and never shown again, "
            "also not when something else in this form is wrong."
        ),
    )
    passphrase = forms.CharField(
        label=_("Passphrase"),
        required=False,
        strip=False,
        max_length=1000,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
        help_text=_("Of the pasted key, if it has one."),
    )
    tag_words = forms.CharField(
        label=_("Tags"), required=False, max_length=400, help_text=_("Separated by spaces.")
    )

    groups = [
        (_("The machine"), "", ["name", "kind", "tag_words"]),
        (
            _("Over SSH"),
            "",
            ["address", "port", "user", "key", "private_key", "passphrase", "jump"],
        ),
        (_("Rights"), "", ["privilege_mode"]),
        (_("Network tests"), "", ["network_test_address"]),
    ]

    class Meta:
        model = Host
        fields = [
            "name",
            "kind",
            "address",
            "port",
            "user",
            "privilege_mode",
            "jump",
            "network_test_address",
        ]
        help_texts = {
            "name": _("Letters, digits, dot, dash and underscore."),
            "address": _("A host name or an IP address."),
            "privilege_mode": _(
                "Disks and tuning need root. Without it only tests in directories are possible."
            ),
            "network_test_address": _(
                "What iperf on another host connects to, if that is a network of its own. "
                "Empty: the address above."
            ),
            "jump": _("Another host to go through, if this one is not reached directly."),
        }
        error_messages = {
            "name": {
                "invalid": _(
                    "Letters, digits, dot, dash and underscore only; a letter or a digit first."
                )
            }
        }
        widgets = {"kind": forms.RadioSelect, "privilege_mode": forms.RadioSelect}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        kind: Any = self.fields["kind"]
        kind.choices = _kinds(self.instance)
        self._suggest_addresses()
        jumps: Any = self.fields["jump"]
        jumps.queryset = Host.objects.filter(kind=Host.Kind.SSH).exclude(pk=self.instance.pk)
        keys: Any = self.fields["key"]
        keys.choices = [
            (NEW, _("make a new key pair")),
            (PASTE, _("paste a private key")),
            (AGENT, Host.KeySource.AGENT.label),
            *((f"{STORED}{row.pk}", str(row)) for row in Credential.objects.order_by("name")),
        ]
        if self.instance.pk:
            self.initial["key"] = _key_now(self.instance)
            self.initial["tag_words"] = " ".join(self.instance.tags)

    def _suggest_addresses(self) -> None:
        """Suggest the addresses of the network cards at the last check."""
        known = card_addresses(self.instance if self.instance.pk else None)
        address = self.fields["network_test_address"]
        address.widget = Suggesting(card_address for card_address, _card in known)
        if known:
            cards = ", ".join(f"{card_address} ({card})" for card_address, card in known)
            words = _("%(help)s Its cards have %(cards)s.")
            address.help_text = words % {"help": address.help_text, "cards": cards}

    def clean_address(self) -> str:
        return narrow(self.cleaned_data["address"])

    def clean_tag_words(self) -> list[str]:
        return tags_typed(self.cleaned_data["tag_words"])

    def clean(self) -> Cleaned:
        result: Cleaned = super().clean() or self.cleaned_data
        pasted = result.get("key") == PASTE and result.get("kind") == Host.Kind.SSH
        if pasted and not result.get("private_key", "").strip():
            self.add_error("private_key", _("Paste the private key here."))
        return result

    def draft(self) -> HostDraft:
        """Return the values for `host_create` and `host_update`."""
        values = self.cleaned_data
        key = values["key"]
        number = key.removeprefix(STORED) if key.startswith(STORED) else ""
        return HostDraft(
            **{name: values[name] for name in DRAFT_FIELDS},
            port=values["port"],
            key_source=Host.KeySource.AGENT if key == AGENT else Host.KeySource.STORED,
            credential=Credential.objects.filter(pk=number).first() if number else None,
            tags=values["tag_words"],
        )

    def new_key(self) -> NewKey | None:
        """Return the key to create with the host; None if none is requested."""
        values = self.cleaned_data
        if values["key"] == NEW:
            return NewKey()
        return (
            NewKey(values["private_key"], values["passphrase"]) if values["key"] == PASTE else None
        )


def _kinds(host: Host) -> list[tuple[str, Any]]:
    """Return the selectable kinds; only a host of the archive offers the archive."""
    here = {Host.Kind.SSH, Host.Kind.LOCAL, Host.Kind(host.kind)}
    return [(value, label) for value, label in Host.Kind.choices if value in here]


def _key_now(host: Host) -> str:
    if host.key_source == Host.KeySource.AGENT:
        return AGENT
    return f"{STORED}{host.credential_id}" if host.credential_id else NEW

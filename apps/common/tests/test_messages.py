"""Sentences are stored as message and values: English for scripts, each reader's own on pages."""

from __future__ import annotations

import copy
import pickle
import subprocess
from pathlib import Path

import pytest
from django.template import Context, Template
from django.utils.translation import gettext_lazy

from apps.common.domain import messages
from apps.common.domain.messages import label, localize_message
from apps.common.fields.messages import read, stored
from apps.common.management.commands.makemessages import KEYWORDS
from apps.common.schemas.storable import cleaned
from apps.remote.errors import AgentCommandError
from apps.tools.errors import ParamsError
from apps.tools.messages import TranslatableMessage, join_messages, message, plural_message
from apps.tools.sweep import sweep

GERMAN = {
    "cancelled by %(who)s": "abgebrochen von %(who)s",
    "%(state)s: %(reason)s": "%(state)s (%(reason)s)",
    "cancelled": "abgebrochen",
    "of %(what)s": "von %(wrong)s",
    "The agent on %(host)s failed: %(detail)s.": "Agent auf %(host)s: %(detail)s.",
    "Identity: %(disk)s is another device now.": "Anderes Gerät: %(disk)s.",
}
AS_STORED = (
    '{"message":"%(state)s: %(reason)s","values":{"reason":{"message":"cancelled by %(who)s",'
    '"values":{"who":"anna"}},"state":{"message":"cancelled"}},"version":1}'
)


class German:
    def gettext(self, message: str) -> str:
        return GERMAN.get(message, message)

    def ngettext(self, one: str, many: str, number: int) -> str:
        return "%(count)d Fall" if number == 1 else "%(count)d Fälle"

    def plain(self, text: str) -> str:
        return text


def cancelled() -> TranslatableMessage:
    why = message("cancelled by %(who)s", who="anna")
    return message("%(state)s: %(reason)s", state=label(gettext_lazy("cancelled")), reason=why)


def test_it_is_english_text() -> None:
    assert cancelled() == "cancelled: cancelled by anna"
    assert [plural_message("%(count)d case", "%(count)d cases", n) for n in (1, 6)] == [
        "1 case",
        "6 cases",
    ]
    assert join_messages("one") == "one"
    assert join_messages("one", "100 %", "three") == "one; 100 %; three"


def test_message_is_translated() -> None:
    assert cancelled().render(German()) == "abgebrochen (abgebrochen von anna)"
    two = plural_message("%(count)d case", "%(count)d cases", 2)
    both = join_messages(two, "as it is")
    assert isinstance(both, TranslatableMessage)
    assert both.render(German()) == "2 Fälle; as it is"
    assert message("of %(what)s", what="it").render(German()) == "of it"


def test_what_was_stored_once_is_read_for_ever() -> None:
    """Version 1 as it was first written; never change it."""
    assert stored(cancelled()) == AS_STORED
    again = read(AS_STORED)
    assert isinstance(again, TranslatableMessage)
    assert again == cancelled()
    assert again.render(German()) == "abgebrochen (abgebrochen von anna)"


@pytest.mark.parametrize(
    "text",
    ["", "cancelled by anna", '{"message":', '{"message":1}', '{"message":"%(x)s","version":1}',
     '{"message":"later","version":99}', "100 %"],
)  # fmt: skip
def test_other_text_is_as_it_is(text: str) -> None:
    assert read(text) == stored(text) == localize_message(text) == text
    assert not isinstance(read(text), TranslatableMessage)


def test_copies_and_cleaned_ones_are_sentences_too() -> None:
    odd = message("cancelled by %(who)s", who="an\0na")
    for each in (copy.copy(odd), copy.deepcopy(odd), pickle.loads(pickle.dumps(odd))):
        assert (each, each.values) == (odd, odd.values)
    assert stored(cleaned(odd)) == stored(message("cancelled by %(who)s", who="an\ufffdna"))


@pytest.mark.django_db
def test_pages_say_it_in_the_readers_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "translation", German())
    page = Template("{% load benchlab_format %}{{ text|localize_message }}")
    assert page.render(Context({"text": read(AS_STORED)})) == "abgebrochen (abgebrochen von anna)"


def test_texts_of_the_agent_are_in_the_readers_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "translation", German())
    text = "Identity: /dev/sdb is another device now. Something newer."
    assert localize_message(text) == "Anderes Gerät: /dev/sdb. Something newer."
    error = AgentCommandError("lab1", "refused", "Identity: /dev/sdb is another device now.")
    again = read(stored(error.message))
    assert again == "The agent on lab1 failed: Identity: /dev/sdb is another device now."
    assert localize_message(again) == "Agent auf lab1: Anderes Gerät: /dev/sdb."


def test_message_about_wrong_parameters_is_translated() -> None:
    with pytest.raises(ParamsError) as caught:
        sweep({"bs": []})
    (told,) = caught.value.errors.values()
    assert isinstance(told, TranslatableMessage)


def test_messages_are_found_for_translators(tmp_path: Path) -> None:
    source = tmp_path / "source.py"
    source.write_text(
        'message("a %(b)s", b=1)\nplural_message("%(count)d case", "%(count)d cases", 2)\n'
        'lazy("a label")\n_lazy("another one")\n'
    )
    call = ["xgettext", "-L", "Python", *KEYWORDS, "-o", "-", str(source)]
    found = subprocess.run(call, capture_output=True, text=True, check=True).stdout
    assert all(f'msgid "{text}"' in found for text in ("a %(b)s", "a label", "another one"))
    assert 'msgid_plural "%(count)d cases"' in found

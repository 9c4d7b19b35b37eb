"""Names of models, fields of the API and titles of pages keep to the glossary (docs/design.md,
"Words").
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from django.apps import apps
from drf_spectacular.generators import SchemaGenerator

from apps.tools.registry import TOOLS

ROOT = Path(__file__).parents[2]
WORDS = (ROOT / "docs/design.md").read_text().split("## Words")[1].split("\n## ")[0]
# Fields of the API that were released under another word and stay as they are (their scripts).
RELEASED = {"open_loans", "data_address"}
# A parser's measurement and the row it becomes are one idea, at two places of its way.
SAME_IDEA = {"Measurement", "Series", "Histogram", "HistogramSeries"}
NAMED = r"^class (\w+)|^(\w+) = (?:dict|tuple|list)\["
CODE = [path for path in (ROOT / "apps").rglob("*.py") if "/tests/" not in str(path)]


def cells(text: str) -> Iterator[tuple[str, str]]:
    """The rows of the tables, without their heads."""
    for line in text.splitlines():
        found = re.fullmatch(r"\| ([^|]+) \| (.+) \|", line)
        if found and found[1] not in ("word", "not"):
            yield found[1], found[2]


OPENINGS = re.compile(r'"""(?:What|How|Which|Who|Where) ')


SAID, NOT_SAID = WORDS.split("Not said, as there is a word for it:")


def split(words: Iterable[str]) -> set[str]:
    return {part for word in words for part in re.split(r"[ ,]+", word.lower()) if part}


KNOWN = split(word for word, _meaning in cells(SAID))
FORBIDDEN = split(word for word, _instead in cells(NOT_SAID))
ORDINARY = split([NOT_SAID.split("beside these: ")[1].split(".")[0].replace("\n", " ")])


def parts(name: str) -> list[str]:
    """The words of CamelCase, snake_case or a sentence, in the singular as well."""
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)
    return [word.lower() for word in words]


def unknown(name: str) -> list[str]:
    """The words of a model's name that the glossary does not have."""
    return [p for p in parts(name) if p not in KNOWN | ORDINARY and f"{p}s" not in KNOWN]


def forbidden(name: str) -> list[str]:
    """The words in a name for which the glossary has another one."""
    return [p for p in parts(name) if p in FORBIDDEN or p.removesuffix("s") in FORBIDDEN]


def models() -> list[str]:
    return [m.__name__ for m in apps.get_models() if m.__module__.startswith("apps.")]


def api_fields() -> Iterator[str]:
    schema = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]  # of the library
    for name, component in schema["components"]["schemas"].items():
        yield from (f"{name}.{field}" for field in component.get("properties", {}))


def titles() -> Iterator[str]:
    for path in (ROOT / "templates").rglob("*.html"):
        for found in re.finditer(r"\{% block title %\}(.*?)\{% endblock", path.read_text(), re.S):
            yield re.sub(r"\{\{.*?\}\}|\{%.*?%\}", lambda tag: _sentence(tag[0]), found[1])


def _sentence(tag: str) -> str:
    said = re.search(r'translate "([^"]*)"', tag)
    return said[1] if said else ""


def test_the_tables_are_read() -> None:
    assert {"host", "attempt", "verdict", "participant", "given", "up"} <= KNOWN
    assert {"thing", "drive", "outcome"} <= FORBIDDEN
    assert {"token", "user"} <= ORDINARY


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("ThingTarget", ["thing"]),
        ("host_data", ["data"]),
        ("Drives of a host", ["drives"]),
        ("RunTarget", []),
    ],
)
def test_a_word_that_is_not_said_is_found(name: str, words: list[str]) -> None:
    assert forbidden(name) == words
    assert unknown("GadgetRun") == ["gadget"]


def test_models_are_called_by_words_of_the_glossary() -> None:
    assert {name: unknown(name) for name in models() if unknown(name)} == {}


def test_fields_of_the_api_use_no_other_words() -> None:
    fields = [name for name in api_fields() if name.partition(".")[2] not in RELEASED]
    assert len(fields) > 300
    found = {name for name in fields if forbidden(name.partition(".")[2])}
    assert found == set()


def test_titles_of_pages_use_no_other_words() -> None:
    found = list(titles())
    assert len(found) > 40
    assert [title for title in found if forbidden(title)] == []


def test_a_models_name_means_nothing_else() -> None:
    """Plain Python classes and aliases do not take the name of a row."""
    rows = set(models()) - SAME_IDEA
    taken = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in CODE
        if "/models" not in str(path) and "/migrations/" not in str(path)
        for name in sum(re.findall(NAMED, path.read_text(), re.M), ())
        if name in rows
    }
    assert taken == set()


NOTHING = {"thing", "stuff", "data", "info", "manager", "helper", "util", "misc", "place"}
# Words of many ideas: where a class has one of them alone, it is the only one.
SHARED = {"Row", "Run", "Reading", "Member", "Target", "Setting", "Case", "Participant"}


def test_no_file_is_called_by_a_word_that_says_nothing() -> None:
    """`figures` is a room's member (docs/development/architecture.md): its charts."""
    vague = NOTHING | {"common", "lines", "loading", "object", "entity"}
    found = {str(path.relative_to(ROOT)) for path in CODE if path.stem in vague}
    # A migration's name is stored in every database that it was run in.
    assert {name for name in found if "/migrations/" not in name} == set()


def test_a_short_name_means_one_thing() -> None:
    found = Counter(
        name
        for path in CODE
        if "/migrations/" not in str(path)
        for name in sum(re.findall(NAMED, path.read_text(), re.M), ())
        if name in SHARED
    )
    assert {name: number for name, number in found.items() if number > 1} == {}


# Rooms of tools are entered through the registry alone, and the agent is a program of its own, with
# the server's words for what both speak of: a class of theirs is met by nobody else.
APART = re.compile(rf"apps/(remote/agent|tools/({'|'.join(sorted(TOOLS))}))/")


def test_classes_of_two_modules_have_two_names() -> None:
    """Beside those of one idea, private ones, and those inside another class (`Host.Kind`)."""
    homes: dict[str, list[str]] = {}
    for path in CODE:
        where = str(path.relative_to(ROOT))
        if "/migrations/" in where or "/agent_tests/" in where or APART.match(where):
            continue
        for name in re.findall(r"^class ([A-Z]\w+)", path.read_text(), re.M):
            homes.setdefault(name, []).append(where)
    expected = SAME_IDEA | {"Command"}  # Django's name for what manage.py runs
    assert {name: all for name, all in homes.items() if len(all) > 1 and name not in expected} == {}


def test_no_class_is_called_by_a_word_that_says_nothing() -> None:
    nothing = NOTHING
    found = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in CODE
        for name in re.findall(r"^class (\w+)", path.read_text(), re.M)
        if nothing & set(parts(name))
    }
    assert found == set()


def test_docstrings_begin_with_their_subject() -> None:
    """As in "Hosts of a case" for "Who takes part in a case"; a bool's may begin with Whether."""
    found = {
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for folder in ("apps", "benchlab")
        for path in (ROOT / folder).rglob("*.py")
        for line in path.read_text().splitlines()
        if OPENINGS.search(line)
    }
    assert found == set()


def test_an_opening_that_says_little_is_found() -> None:
    said = f"    {chr(34) * 3}What a host said of itself."
    assert OPENINGS.search(said)
    assert not OPENINGS.search(said.replace("What", "Whether"))

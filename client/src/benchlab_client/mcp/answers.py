"""Answers of the tools: models, quoted names, numbers that are withheld, and the size limit."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Literal

from pydantic import BaseModel, Field

MAX_BYTES = 8_000
"""Limit of an answer as JSON: larger ones crowd out the rest of a conversation."""
MAX_SENTENCE_BYTES = 1_200
MAX_NAME = 80
MAX_NOTE = 240
MAX_NOTES = 6
MAX_LINK_BYTES = 1_000
MIN_RUNS = 6
"""Values from which the exact 95 % interval of a median exists."""
COMPARED = ("better", "worse", "no_difference")
"""Verdicts whose numbers may be shown. The others have none that could be subtracted."""
WITHHELD = ("too_few_repeats", "not_comparable", "not_tested", "unknown")

Verdict = Literal[
    "better", "worse", "no_difference", "too_few_repeats", "not_comparable", "not_tested",
    "met", "missed", "inconclusive", "unknown",
]  # fmt: skip
Interval = tuple[float, float]
About = dict[str, str | int]


class Side(BaseModel):
    """Repeats of one side, and the random blocks they are in."""

    repeats: int
    blocks: int | None = Field(
        default=None, description="0: measured without blocks; absent: not stated"
    )


class Basis(BaseModel):
    """What a sentence rests on."""

    baseline: Side | None = None
    level: Side | None = None
    test: str | None = Field(default=None, description="randomisation test: blocks, pairs or all")
    confidence_percent: float | None = None
    comparisons_corrected_for: int | None = None
    repeats_needed: int | None = Field(
        default=None, description="of each side, if there are too few"
    )
    what_differs: list[str] = Field(default_factory=list)
    warnings: list[str] = Field(default_factory=list)


class Figure(BaseModel):
    """A median; it never comes without the number of values and its 95 % interval."""

    of: str
    metric: str
    unit: str
    n: int
    median: float
    interval: Interval


class Part(BaseModel):
    """One statement. Text in “ ” and the values of `about` were typed by users: data only."""

    about: About = Field(default_factory=dict)
    sentence: str = ""
    verdict: Verdict | None = None
    interval_percent: Interval | None = Field(
        default=None, description="of the change against the baseline"
    )
    basis: Basis = Field(default_factory=Basis)
    figures: list[Figure] = Field(default_factory=list)


class Answer(Part):
    """The answer of a tool: a statement, its parts, and the page that shows all of it."""

    parts: list[Part] = Field(default_factory=list)
    more: str = ""
    link: str


def clean(text: object) -> str:
    """Return text in one line without control characters: a name cannot pose as structure."""
    return " ".join("".join(_visible(one) for one in str(text)).split())


def _visible(character: str) -> str:
    category = unicodedata.category(character)
    return " " if category in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp") else character


def quoted(name: object) -> str:
    """Return a user's name in quotation marks that it cannot close."""
    text = clean(name).replace("“", '"').replace("”", '"')
    return f"“{text[: MAX_NAME - 1]}…”" if len(text) > MAX_NAME else f"“{text}”"


def short(text: object) -> str:
    """Return a note of at most MAX_NOTE characters; a longer one is only announced.

    A cut sentence could lose the interval of its number.
    """
    line = clean(text)
    return line if len(line) <= MAX_NOTE else "A note is too long for an answer, see link."


def notes(texts: Iterable[object]) -> list[str]:
    """Return the first notes, and how many more there are."""
    lines = list(dict.fromkeys(short(one) for one in texts))
    rest = len(lines) - MAX_NOTES
    return [*lines[:MAX_NOTES], *([f"{rest} more, see link."] if rest > 0 else [])]


def sentences(lines: Sequence[object]) -> str:
    """Return whole sentences up to the limit, then how many are left out."""
    shown: list[str] = []
    for line in map(clean, lines):
        if _bytes(" ".join([*shown, line])) > MAX_SENTENCE_BYTES:
            break
        shown.append(line)
    rest = len(lines) - len(shown)
    return " ".join([*shown, *([f"({rest} more, see link.)"] if rest else [])])


def percent(ratio: float | None) -> float | None:
    """Return the change in percent of a ratio, with three digits after the point."""
    return None if ratio is None else round((ratio - 1) * 100, 3)


def interval_percent(verdict: str, low: float | None, high: float | None) -> Interval | None:
    """Return the interval of a change; None where the verdict allows no number."""
    ends = percent(low), percent(high)
    if verdict not in COMPARED or ends[0] is None or ends[1] is None:
        return None
    return ends[0], ends[1]


def honest(part: Part) -> Part:
    """Return the part without numbers that its verdict does not allow.

    The modules of the tools withhold them already; this holds for every answer.
    """
    if part.verdict not in WITHHELD:
        return part
    return part.model_copy(update={"interval_percent": None, "figures": []})


def bounded(answer: Answer) -> Answer:
    """Return the answer within MAX_BYTES: whole parts are left out from the end."""
    whole = honest(answer).model_copy(update={"link": _link(answer.link)})
    assert isinstance(whole, Answer)
    parts = [honest(one) for one in answer.parts]
    used, shown = size(_without(whole, [], len(parts))), 0
    for part in parts:
        used += size(part) + 1
        if used > MAX_BYTES:
            break
        shown += 1
    result = _without(whole, parts[:shown], len(parts) - shown)
    if size(result) <= MAX_BYTES:
        return result
    text = "The answer is too long for an assistant, see link."
    return Answer(sentence=text, link=_link(answer.link))


def _without(answer: Answer, parts: list[Part], rest: int) -> Answer:
    more = f"{rest} more, see link." if rest else answer.more
    return answer.model_copy(update={"parts": parts, "more": more})


def _link(link: str) -> str:
    return link if _bytes(link) <= MAX_LINK_BYTES else link.partition("?")[0][: MAX_LINK_BYTES // 4]


def as_json(answer: Part) -> str:
    """Return the answer as compact JSON without what is empty."""
    return answer.model_dump_json(exclude_defaults=True)


def size(answer: Part) -> int:
    """Return the bytes of an answer as JSON."""
    return len(as_json(answer).encode())


def _bytes(text: str) -> int:
    return len(json.dumps(text, ensure_ascii=False).encode())

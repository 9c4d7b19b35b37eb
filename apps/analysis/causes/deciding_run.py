"""The run that would decide between the first two conditions, and the forms that plan it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from apps.analysis.causes.kinds import TEXTS, Kind
from apps.analysis.causes.ranking import RankedCondition
from apps.tuning.domain.setting_catalog import SETTINGS
from apps.tuning.selectors import tunings_current

Values = Mapping[str, str]
SEVERAL = " / "
"""Between the values of several disks, which one tuning profile cannot set."""
NAMED_KINDS = (Kind.SETTING, Kind.CONFIGURATION, Kind.WARNING)
"""Kinds whose conditions are independent of each other; of other kinds they measure the same."""


@dataclass(frozen=True)
class MissingTuning:
    """A tuning profile that the run needs and nobody has made. `url`: its prefilled form."""

    label: str
    url: str


@dataclass(frozen=True)
class DecidingRun:
    """The run that would decide between the first two conditions. `url`: the form of its plan.

    `missing_tunings`: profiles to make before; the form has the others.
    """

    text: str
    url: str
    missing_tunings: tuple[MissingTuning, ...] = ()


def deciding_run(
    ranked: Sequence[RankedCondition], *, plan: int | None, workload: int | None
) -> DecidingRun | None:
    """Return the run that varies the first condition and holds the second.

    `plan`: the one to change. `workload`: the one to repeat without a plan.
    """
    if not ranked:
        return None
    text = _text(ranked)
    needed = needed_tunings(ranked)
    known = _known_tunings() if needed else {}
    keys = [known.get(frozenset(each.items())) for each in needed]
    missing = tuple(_missing(each) for each, key in zip(needed, keys, strict=True) if key is None)
    url = _plan_url(text, [key for key in keys if key is not None], plan, workload)
    return DecidingRun(text, url, missing if url else ())


def _held(ranked: Sequence[RankedCondition]) -> RankedCondition | None:
    """Return the second condition: the next one that does not measure the same as the first."""
    kind = ranked[0].condition.kind
    others = (row for row in ranked[1:] if row.condition.kind != kind or kind in NAMED_KINDS)
    return next(others, None)


def _text(ranked: Sequence[RankedCondition]) -> str:
    first, held = ranked[0].condition, _held(ranked)
    vary = str(TEXTS[first.kind].vary).format(name=first.name)
    if held is not None:
        second = held.condition
        hold = str(TEXTS[second.kind].hold).format(name=second.name)
        text = _(
            "One run would decide between “{first}” and “{second}”: {vary}; {hold}. If the slow"
            " results follow “{first}”, it would explain them; if not, “{second}” remains."
        )
        return text.format(first=first.name, second=second.name, vary=vary, hold=hold)
    text = _(
        "One run would test “{first}”: {vary}. If the slow results do not follow it, something"
        " else explains them."
    )
    return text.format(first=first.name, vary=vary)


def needed_tunings(ranked: Sequence[RankedCondition]) -> list[Values]:
    """Return the settings of each tuning profile of the run; none if it needs no setting.

    One profile for each of two values of a setting that varies. A setting that is held has the
    most frequent value of the other repeats in each of them.
    """
    first, second = ranked[0], _held(ranked)
    varied = list(_two_values(first))
    held = {} if second is None else dict([*_two_values(second)][-1:])
    if not varied:
        return [held] if held else []
    return [{name: value} | held for name, value in varied]


def _two_values(row: RankedCondition) -> Iterator[tuple[str, str]]:
    """Yield the setting of the affected repeats and that of the others, if a profile can set it."""
    condition = row.condition
    if condition.kind != Kind.SETTING or condition.name not in SETTINGS:
        return
    others = Counter(
        str(value) for key, value in condition.values.items() if key not in row.split.has
    )
    values = [row.split.value, *(value for value, _count in others.most_common(1))]
    if len(values) == 2 and not any(SEVERAL in value for value in values):
        yield from ((condition.name, value) for value in values)


def _known_tunings() -> dict[frozenset[tuple[str, str]], int]:
    """Return the profiles by their settings; those of one scope alone apply to other hosts too."""
    return {
        frozenset((one.name, str(one.value)) for one in tuning.settings): tuning.pk
        for tuning in reversed(list(tunings_current()))
        if not any(one.scope for one in tuning.settings)
    }


def _missing(settings: Values) -> MissingTuning:
    label = ", ".join(f"{name} {value}" for name, value in settings.items())
    query = urlencode({"name": label[:80], **settings})
    return MissingTuning(label, f"{reverse('tuning_new')}?{query}")


def _plan_url(text: str, tunings: Sequence[int], plan: int | None, workload: int | None) -> str:
    """Return the form of a new plan with the same tests and the design as its description."""
    query: list[tuple[str, object]] = [("tuning", pk) for pk in tunings]
    if plan is not None:
        query.insert(0, ("plan", plan))
    elif workload is not None:
        query = [("workload", workload), ("name", _("Deciding run")), *query]
    else:
        return ""
    return f"{reverse('plan_new')}?{urlencode([*query, ('description', text)])}"

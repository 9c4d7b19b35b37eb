"""A comparison with its verdicts; each is printed as the sentence of the page."""

from __future__ import annotations

from typing import Any, Iterator, List, Optional, Tuple

from benchlab_client.base import Json


class Verdict:
    """Verdict on one metric of a workload at a level; its `repr` is the sentence of the page.

    - `verdict`: better, worse, no_difference, too_few_repeats, not_comparable or not_tested
    - `name`, `where`: workload with its operation, and target
    - `level`, `baseline`: compared levels of the factor; `metric`: what was tested
    - `n`, `baseline_n`: repeats
    """

    def __init__(self, row: Json, baseline: str) -> None:
        self.data = row
        self.verdict: str = row["verdict"]
        self.sentence: str = row["text"]
        self.name: str = row["name"]
        self.where: str = row["where"]
        self.level: str = row["level"]
        self.baseline = baseline
        self.metric: str = row["metric"]
        self.n: int = row["n"]
        self.baseline_n: int = row["baseline_n"]

    def __repr__(self) -> str:
        return self.sentence

    @property
    def change_percent(self) -> Optional[float]:
        """Return the estimate of the change in percent, None if there is none."""
        return _percent(self.data["effect"]["typical"])

    @property
    def interval_percent(self) -> Optional[Tuple[float, float]]:
        """Return the interval of the change in percent, None if it is unknown."""
        effect = self.data["effect"]
        low, high = _percent(effect["low"]), _percent(effect["high"])
        return None if low is None or high is None else (low, high)


class Comparison:
    """Verdicts of a comparison, in the order of the page; `data` is the whole answer."""

    def __init__(self, data: Json, url: str = "") -> None:
        self.data = data
        self.baseline: str = data["baseline"]
        self.levels: List[str] = data["levels"]
        self.headline: List[str] = [line["text"] for line in data["headline"]]
        self.verdicts = [Verdict(row, self.baseline) for row in data["summary"]]
        self.page = f"{url}/compare/?{data['query']}"

    def __iter__(self) -> Iterator[Verdict]:
        return iter(self.verdicts)

    def __len__(self) -> int:
        return len(self.verdicts)

    def __getitem__(self, index: int) -> Verdict:
        return self.verdicts[index]

    def __repr__(self) -> str:
        return "\n".join(self.headline) or "No comparable results."


def _percent(ratio: Any) -> Optional[float]:
    return None if ratio is None else (float(ratio) - 1.0) * 100.0

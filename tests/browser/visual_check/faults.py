"""Detect visual faults of a page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

CHARTS = """[...document.querySelectorAll(".chart")].filter((one) => one.checkVisibility())"""
READY = f"""() => !document.querySelector("[data-deferred]")
  && {CHARTS}.every((one) => one.querySelector(".main-svg"))"""
FACTS = rf"""() => {{
  const seen = {CHARTS};
  const tilted = [...document.querySelectorAll(".xtick text, .ytick text")].filter((one) =>
    /rotate\((?!0[,)])/.test(one.getAttribute("transform") ?? ""));
  const box = (one) => one.getBoundingClientRect();
  const cut = (one) => {{
    const svg = one.querySelector(".main-svg");
    if (!svg) return [];
    const [left, right] = [box(svg).left - 1, box(svg).right + 1];
    const labels = ".xtick text, .ytick text, .legendtext, .g-xtitle text, .g-ytitle text";
    return [...one.querySelectorAll(labels)]
      .filter((text) => box(text).width && (box(text).left < left || box(text).right > right))
      .map((text) => text.textContent);
  }};
  const crossing = (one) => [...one.querySelectorAll(".xaxislayer-above")].flatMap((axis) => {{
    const labels = [...axis.querySelectorAll(".xtick text")].map(box).filter((b) => b.width)
      .sort((a, b) => a.left - b.left);
    return labels.filter((b, i) => i && b.left < labels[i - 1].right - 1
      && b.top < labels[i - 1].bottom && labels[i - 1].top < b.bottom);
  }});
  return {{
    wider: document.documentElement.scrollWidth - innerWidth,
    tilted: tilted.map((one) => one.textContent),
    empty: seen.filter((one) => !(one.querySelector(".js-plotly-plot")?.calcdata ?? [])
      .flat().length).map((one) => one.id),
    cut: seen.flatMap(cut),
    crossing: seen.flatMap(crossing).length,
    flat: seen.map((one) => one.querySelector(".nsewdrag")).filter(
      (plot) => plot && box(plot).height < 60).length,
    headlines: [...document.querySelectorAll(
      ".result-headline, .result-findings p, .run-findings, .result")]
      .map((one) => one.textContent.trim()).filter((text) => text).length,
    charts: seen.length,
  }};
}}"""
WITH_HEADLINE = frozenset(
    {"compare", "sweep", "table", "table-delta", "network", "history", "fleet", "distribution"}
    | {"timeseries", "bottleneck", "config-diff", "medians"}
)
"""Views whose page has a headline."""
WITH_CHART = WITH_HEADLINE - {"config-diff", "medians"}


def faults(view: str, facts: Any, errors: list[str]) -> Iterator[str]:
    """Yield a sentence for each fault.

    `facts`: result of FACTS; `errors`: error messages of the browser.
    """
    lists = {
        "labels are tilted": facts["tilted"],
        "labels are cut off": facts["cut"],
        "charts are empty": facts["empty"],
    }
    single = {
        f"it is {facts['wider']} px wider than the screen": facts["wider"] > 0,
        f"{facts['crossing']} labels of an axis lie over each other": facts["crossing"],
        f"{facts['flat']} charts are lower than 60 px": facts["flat"],
        "it has no headline": view in WITH_HEADLINE and not facts["headlines"],
        "it has no chart": view in WITH_CHART and not facts["charts"],
    }
    yield from (f"browser error: {text}" for text in errors)
    yield from (f"{words}: {', '.join(named[:4])}" for words, named in lists.items() if named)
    yield from (words for words, holds in single.items() if holds)

"""Widths, themes and paper on which a page is looked at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Screen:
    """`width` in CSS pixels; A4 at 96 dots an inch without its margins is 703 wide."""

    name: str
    width: int
    theme: Literal["light", "dark"] = "light"
    media: Literal["screen", "print"] = "screen"


SCREENS = (
    Screen("wide-light", 1280),
    Screen("wide-dark", 1280, "dark"),
    Screen("phone-light", 390),
    Screen("phone-dark", 390, "dark"),
    Screen("paper", 703, media="print"),
)

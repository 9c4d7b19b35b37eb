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

    def differs_in_theme_alone(self, other: Screen) -> bool:
        """Whether a page that is open on the other screen need not be opened again for this one."""
        return (self.width, self.media) == (other.width, other.media)


# A page is opened once for each width, and then switched to the other theme: to open it is most of
# what a look costs. It is opened light on one width and dark on the other.
SCREENS = (
    Screen("wide-light", 1280),
    Screen("wide-dark", 1280, "dark"),
    Screen("phone-dark", 390, "dark"),
    Screen("phone-light", 390),
    Screen("paper", 703, media="print"),
)

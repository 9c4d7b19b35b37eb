"""Widths, themes and media in which pages are checked."""

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
        """Return True if the page open on the other screen needs no reload."""
        return (self.width, self.media) == (other.width, other.media)


# Opening a page takes most of the time: it is opened once for each width, and the theme is
# switched.
SCREENS = (
    Screen("wide-light", 1280),
    Screen("wide-dark", 1280, "dark"),
    Screen("phone-dark", 390, "dark"),
    Screen("phone-light", 390),
    Screen("paper", 703, media="print"),
)

"""The acts of every kind of setting on loan: it is judged, read, written. Journal, order and giving
back are loan.py's and giving_back.py's.
"""

from typing import List, Optional, Tuple

from ..shapes import JournalSetting, Setting


class SettingKind:
    """One kind of setting. Reading and writing raise OSError with the reason as its text."""

    # Whether its values outlive a restart of the host.
    lasting = False
    # Whether several are written in one go, since each alone takes long.
    together = False

    def objection(self, setting: Setting) -> str:
        """Why a wanted setting cannot be meant, as a sentence; empty when it can. Asks nobody."""
        raise NotImplementedError

    def snapshot(self, wanted: List[Setting]) -> List[JournalSetting]:
        """The journal's lines for what is wanted and for all that may change along (their `value`
        is None), in the order in which they are applied. Raises RefusalError or OSError.
        """
        raise NotImplementedError

    def forget(self) -> None:
        """Values that were read before are read anew."""

    def is_there(self, setting: JournalSetting) -> bool:
        """Whether what carries the setting is there; if not, there is nothing to give back."""
        raise NotImplementedError

    def read(self, setting: JournalSetting) -> Optional[str]:
        """The value now; None when it cannot be read."""
        raise NotImplementedError

    def write(self, setting: JournalSetting, value: str) -> None:
        """Set it."""
        raise NotImplementedError

    def write_all(self, values: List[Tuple[JournalSetting, str]]) -> List[str]:
        """Set them all; for each the reason why it could not be set, empty where it was."""
        return [self.tried(setting, value) for setting, value in values]

    def tried(self, setting: JournalSetting, value: str) -> str:
        """Set one; why it could not be set, empty where it was."""
        try:
            self.write(setting, value)
        except OSError as error:
            return str(error.strerror)
        return ""

    def same(self, asked: str, found: Optional[str]) -> bool:
        """Whether what was found is what was asked for."""
        return asked == found

    def doubts(self, settings: List[JournalSetting]) -> List[str]:
        """For each: why a value that was set does not hold all the same; empty when it does."""
        return ["" for _setting in settings]

    def let_go(self, setting: JournalSetting) -> None:
        """Take away what was left beside a value that somebody else has set since."""

    def whose(self, setting: JournalSetting) -> str:
        """The carrier of the setting, for people."""
        raise NotImplementedError

    def hint(self, setting: JournalSetting) -> str:
        """Other values that could be chosen, as a sentence; empty when that is not known."""
        return ""

    def rank(self, setting: JournalSetting) -> int:
        """The order of giving back: a smaller number first, as it changes others along."""
        return 0

    def lent(self, setting: JournalSetting) -> Tuple[str, ...]:
        """The name of what only one job at a time may have on loan; the last word is for people."""
        raise NotImplementedError


def line(
    kind: str, identity: str, name: str, original: str = "", value: Optional[str] = None
) -> JournalSetting:
    """A new line of the journal; without a value it is for something that is not asked for, but may
    change along.
    """
    return {
        "kind": kind,
        "identity": identity,
        "name": name,
        "original": original,
        "value": value,
        "step": "planned",
        "seen": original,
    }


def asked_value(setting: JournalSetting) -> str:
    """The value of a setting that was asked for."""
    value = setting["value"]
    assert value is not None, "what only may change along is not written"
    return value

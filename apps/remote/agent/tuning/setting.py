"""Base class of setting kinds: validate, read and write.

Journal, order and restoring are the same for all kinds (journal.py, restore.py).
"""

from typing import List, Optional, Tuple

from ..schema import JournalSetting, SettingSpec


class SettingKind:
    """One kind of setting. Reading and writing raise OSError with the reason."""

    # Whether its values outlive a restart of the host.
    survives_reboot = False
    # Whether it is not applied before the commands, but in the middle of the job.
    is_deferred = False
    # Whether several are written in one go, since each alone takes long.
    is_batched = False

    def validate(self, setting: SettingSpec) -> str:
        """Return why a requested setting is invalid, as a sentence; "" if valid. Reads nothing."""
        raise NotImplementedError

    def snapshot(self, wanted: List[SettingSpec]) -> List[JournalSetting]:
        """Return the journal lines for requested settings and those they may change (`value` None).

        In the order of application. Raises: RefusalError, OSError.
        """
        raise NotImplementedError

    def clear_cache(self) -> None:
        """Discard cached values."""

    def is_there(self, setting: JournalSetting) -> bool:
        """Return True if the carrier of the setting exists; otherwise it need not be restored."""
        raise NotImplementedError

    def read(self, setting: JournalSetting) -> Optional[str]:
        """Return the present value; None if it cannot be read."""
        raise NotImplementedError

    def write(self, setting: JournalSetting, value: str) -> None:
        """Write the value."""
        raise NotImplementedError

    def write_all(self, values: List[Tuple[JournalSetting, str]]) -> List[str]:
        """Write all values; return the error of each, "" on success."""
        return [self.try_write(setting, value) for setting, value in values]

    def try_write(self, setting: JournalSetting, value: str) -> str:
        """Write one value; return the error, "" on success."""
        try:
            self.write(setting, value)
        except OSError as error:
            return str(error.strerror)
        return ""

    def is_equal(self, requested: str, actual: Optional[str]) -> bool:
        """Return True if the value read is the requested one."""
        return requested == actual

    def verify(self, settings: List[JournalSetting]) -> List[str]:
        """Return for each setting why its value is not effective; "" if it is."""
        return ["" for _setting in settings]

    def discard_own(self, setting: JournalSetting) -> None:
        """Remove what is left of this job after another process set the value."""

    def owner(self, setting: JournalSetting) -> str:
        """Return the carrier of the setting for messages."""
        raise NotImplementedError

    def hint(self, setting: JournalSetting) -> str:
        """Return possible values as a sentence; "" if unknown."""
        return ""

    def rank(self, setting: JournalSetting) -> int:
        """Return the order of restoring: smaller first, for settings that change others."""
        return 0

    def targets(self, setting: JournalSetting) -> Tuple[str, ...]:
        """Return the key of what only one job at a time may tune; the last word is for messages."""
        raise NotImplementedError


def journal_line(
    kind: str, identity: str, name: str, original: str = "", value: Optional[str] = None
) -> JournalSetting:
    """Return a new journal line; without `value` for a setting that only may change along."""
    return {
        "kind": kind,
        "identity": identity,
        "name": name,
        "original": original,
        "value": value,
        "step": "planned",
        "last_value": original,
    }


def requested_value(setting: JournalSetting) -> str:
    """Return the requested value of a setting."""
    value = setting["value"]
    assert value is not None, "what only may change along is not written"
    return value

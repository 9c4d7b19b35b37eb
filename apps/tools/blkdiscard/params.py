"""Parameters of a discard in a plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from apps.tools.fields import Field, Part
from apps.tools.messages import message
from apps.tools.plugin_params import PluginParams
from apps.tools.translation import gettext_noop as _
from apps.tools.values import Parameters

FIELDS: Mapping[str, Field] = {
    "secure": Field(
        "flag",
        _("Secure"),
        _(
            "Request a secure discard, which also erases copies that the device made by itself. "
            "A device that offers none does an ordinary one, and the result states it."
        ),
    ),
}


@dataclass(frozen=True)
class DiscardParams(PluginParams):
    """Parameters of a discard of the whole disk."""

    table: ClassVar[Mapping[str, Field]] = FIELDS

    secure: bool = False

    @classmethod
    def parts_of(cls, known: Parameters) -> tuple[Part, ...]:
        """Return the label, such as "secure discard"."""
        secure = known.get("secure", False)
        return (
            Part("secure", secure, message("secure discard") if secure else message("discard")),
        )

"""Text typed with an input method for Chinese or Japanese."""

from __future__ import annotations

import unicodedata


def narrow(text: str) -> str:
    """Return numbers, lists and addresses with ASCII forms: `１，４、１６：` is `1,4,16:`."""
    return unicodedata.normalize("NFKC", text).replace("、", ",").replace("。", ".")

"""Parse the lines that dd prints, in any language.

coreutils prints "N bytes (SIZE, SIZE) copied, SECONDS s, RATE MB/s" through gettext (dd.c,
print_xfer_stats): words, comma and decimal sign follow the locale, the order of the values is
fixed. busybox (coreutils/dd.c) prints the same in English with units of 1024; the BSDs, macOS and
coreutils before 5.1 print "N bytes transferred in SECONDS secs (RATE bytes/sec)". No dd groups
thousands, so a comma inside a number is a decimal sign.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from apps.tools.text import number

# Only the end of a longer line is parsed; a report of dd fits in it.
MAX_LINE = 2_000
# Encodings of older terminals. latin-1 decodes any bytes, so later ones are tried only if the
# earlier ones give no result.
ENCODINGS = ("utf-8", "latin-1", "gb18030", "big5", "euc_jp", "koi8_r")

_NUMBER = r"(?<!\d)(?<!\d[.,])\d{1,19}(?:[.,]\d{1,12})?(?:[eE][-+]\d{1,3})?"
_COPIED = re.compile(
    rf"(?P<seconds>{_NUMBER})\s{{0,3}}(?P<word>[^\W\d_]{{1,12}})\.?\s{{0,3}}[,，、]\s{{0,3}}"
    rf"(?P<rate>{_NUMBER}|[^\W\d_]{{3,12}})(?P<space>\s{{0,3}})(?P<unit>[^\W\d_]{{0,4}})/\w{{1,8}}"
)
_TRANSFERRED = re.compile(
    rf"(?P<bytes>\d{{1,19}}) bytes transferred in (?P<seconds>{_NUMBER}) sec(?:ond)?s? "
    rf"\((?P<rate>{_NUMBER})(?P<space>\s?)(?P<unit>\w{{0,5}})/sec\)"
)
_PARENTHESES = re.compile(r"[(（][^()（）]{0,80}[)）]")
_WHOLE_NUMBER = re.compile(r"(?<![\d+.,])\d{1,19}(?![\d+]|[.,]\d)")
_RECORDS = re.compile(r"(?<![A-Za-z0-9+./=])(\d{1,18})\+(\d{1,18})(?![A-Za-z0-9+./])")
ERROR = re.compile(r"(?:^|[\s/])dd ?[:：] ?(?P<text>\S.*)")
# "Second" and "byte" in the translations of coreutils.
_SECONDS = re.compile(r"(?:s|c$|[^\x00-\x7f])", re.IGNORECASE)
_BYTES = re.compile(
    r"byte|o[ck]tet|ba[ijy][td]|b[áa]jt|tavu|beart|байт|бајт|字节|字節|位元|バイト|바이트",
    re.IGNORECASE,
)
MAX_RATE_ERROR = 0.1
# Prefixes in Latin and Cyrillic letters.
_POWERS = {"": 0, "k": 1, "к": 1, "m": 2, "м": 2, "g": 3, "г": 3, "t": 4, "т": 4, "p": 5, "п": 5}


@dataclass(frozen=True)
class DdFigures:
    """One result line: bytes, seconds, and the printed rate (bytes/s, None if absent)."""

    flavour: str
    bytes: int
    seconds: float
    printed: float | None


def decode(line: bytes) -> str:
    """Decode a line: UTF-8, else the first older encoding in which it is a result."""
    for encoding in ENCODINGS:
        try:
            text = line.decode(encoding)
        except UnicodeDecodeError:
            continue
        if encoding == "utf-8" or figures(text):
            return text
    return line.decode("latin-1")


def figures(line: str) -> DdFigures | None:
    """Return the values of a result line, None for any other line."""
    line = line[-MAX_LINE:]
    return _transferred(line) or _copied(line)


def _transferred(line: str) -> DdFigures | None:
    match = _TRANSFERRED.search(line)
    if not match:
        return None
    printed = _rate(match["rate"], match["unit"], 1000)
    return DdFigures("bsd", int(match["bytes"]), _decimal(match["seconds"]), printed)


def _copied(line: str) -> DdFigures | None:
    for match in _COPIED.finditer(line):
        head = _PARENTHESES.sub(" ", line[: match.start()])
        counts = _WHOLE_NUMBER.findall(head)
        if counts:
            binary = not match["space"] or (match["unit"][-1:].upper() not in ("B", "Б"))
            flavour = "busybox" if match["word"] == "seconds" and binary else "gnu"
            printed = _rate(match["rate"], match["unit"], 1024 if binary else 1000)
            figures = DdFigures(flavour, int(counts[-1]), _decimal(match["seconds"]), printed)
            if _fits(figures) or (_SECONDS.match(match["word"]) and _BYTES.search(head)):
                return figures
    return None


def _fits(line: DdFigures) -> bool:
    """Return True if the rate is the quotient of bytes and seconds.

    Notes such as "1 TB, 6000 IOPS, 170 MB/s" rarely are. Lines in an unlisted language need this
    check.
    """
    if not line.seconds or not line.printed:
        return False
    return abs(line.bytes / line.seconds / line.printed - 1) < MAX_RATE_ERROR


def _decimal(text: str) -> float:
    return float(text.replace(",", "."))


def _rate(text: str, unit: str, base: int) -> float | None:
    """Parse a rate: "15,5" and "GB" is 15.5e9; None for "Infinity" and unknown units."""
    prefix = "" if unit.lower() in ("bytes", "b", "б") else unit[:1].lower()
    if not text[:1].isdecimal() or prefix not in _POWERS:
        return None
    power: int = (1024 if "i" in unit else base) ** _POWERS[prefix]
    # Rounding removes the floating point error: 68.4 MB/s are 68400000 bytes/s.
    return number(round(_decimal(text) * power, 3))


def records(line: str) -> list[tuple[int, int]]:
    """Return every "full+partial" of a line: records in, then records out."""
    return [(int(full), int(partial)) for full, partial in _RECORDS.findall(line[-MAX_LINE:])]

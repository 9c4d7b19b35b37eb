"""Short names of browsers, from the header User-Agent (RFC 9110, section 10.1.5)."""

from __future__ import annotations

BROWSERS = (("Edg/", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("Chrome/", "Chrome"),
            ("Safari/", "Safari"), ("curl/", "curl"))  # fmt: skip
SYSTEMS = (("Windows", "Windows"), ("Android", "Android"), ("iPhone", "iOS"), ("iPad", "iOS"),
           ("Mac OS X", "macOS"), ("Linux", "Linux"))  # fmt: skip


def browser_name(agent: str) -> str:
    """Return browser and system, such as `Firefox, Linux`; else the header's first 60 letters."""
    browser = next((name for mark, name in BROWSERS if mark in agent), "")
    system = next((name for mark, name in SYSTEMS if mark in agent), "")
    return ", ".join(filter(None, (browser, system))) if browser else agent[:60]

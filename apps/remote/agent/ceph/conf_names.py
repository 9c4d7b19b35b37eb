"""Options of OSDs that can be lent in their ceph.conf. benchlab's form asks here too."""

import re

OPTION = re.compile(r"^[a-z][a-z0-9_]{1,79}$")
SECRETS = re.compile(r"auth|cephx|keyring|keyfile|key$|secret|passw")
# An OSD would be another one, not be found, or load or write files of somebody's choice.
REFUSED = re.compile(
    r"_(?:dir|data|file|socket|addr|user|group|uuid|host|network|cmd|command|plugins?|list)$"
    r"|path|mkfs|objectstore|location|^crush_|crush_(?:update|initial)"
    r"|^(?:fsid|host|chdir|plugin|osd_journal|daemonize|(?:mon_host|key|public|cluster|admin)\w*)$"
)
# One line of the file, without what begins a comment, a quotation, a section or a line there.
VALUE = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]{0,198}[\x21-\x7e])?")
SPECIAL = re.compile(r"[\"'#;\\]|^\[")


def lendable(name: str, value: str) -> bool:
    """Whether an option may be lent with this value."""
    if not OPTION.match(name) or SECRETS.search(name) or REFUSED.search(name):
        return False
    return bool(VALUE.fullmatch(value)) and not SPECIAL.search(value)

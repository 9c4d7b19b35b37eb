"""Options of daemons that may be applied in a ceph.conf. The tuning form uses the same rules."""

import re

OPTION = re.compile(r"^[a-z][a-z0-9_]{1,79}$")
SECRETS = re.compile(r"auth|cephx|keyring|keyfile|key$|secret|passw")
# These change the identity, data or location of a daemon, or load or write arbitrary files.
REFUSED = re.compile(
    r"_(?:dir|data|file|socket|addr|user|group|uuid|host|network|cmd|command|plugins?|list)$"
    r"|path|mkfs|objectstore|location|^crush_|crush_(?:update|initial)"
    r"|^(?:monmap|setuser|setgroup|container_image|mon_keyvaluedb|osd_rollback_to_cluster_snap)$"
    r"|_initial_(?:members|modules)$|_debug_no_|^(?:gss|openssl)_|plugin"
    r"|^(?:fsid|host|chdir|plugin|osd_journal|daemonize|(?:mon_host|key|public|cluster|admin)\w*)$"
)
# One line of the file, without what begins a comment, a quotation, a section or a line there.
VALUE = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]{0,198}[\x21-\x7e])?")
SPECIAL = re.compile(r"[\"'#;\\]|^\[")


def is_secret(name: str) -> bool:
    """Return True for an option about authentication or a key."""
    return bool(SECRETS.search(name))


def is_option_allowed(name: str, value: str) -> bool:
    """Return True if an option may be applied with this value."""
    if not OPTION.match(name) or is_secret(name) or REFUSED.search(name):
        return False
    return bool(VALUE.fullmatch(value)) and not SPECIAL.search(value)

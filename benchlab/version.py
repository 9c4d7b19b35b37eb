"""Version: the next release with `.dev0`, and without it in the release's commit."""

VERSION = "0.2.0.dev0"

# Releases that no upgrade may skip, oldest first. The newest is the oldest version that this one
# upgrades from. A release is added at the earliest two years after it was made (RELEASING.md).
STOPS = ("0.2.0",)

# Oldest client whose commands work with this API; clients that are older refuse with its number.
MIN_CLIENT = "0.2.0.dev0"

"""Version: the next release with `.dev0`, and without it in the release's commit."""

VERSION = "0.2.0.dev0"

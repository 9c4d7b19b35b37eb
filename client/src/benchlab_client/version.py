"""Version of the client: that of the server it is released with."""

VERSION = "0.2.0.dev0"

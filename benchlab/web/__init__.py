"""The web server's own part below Django: how many requests are worked on at once."""

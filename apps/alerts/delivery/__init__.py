"""Ways on which messages leave: e-mail and web hooks."""

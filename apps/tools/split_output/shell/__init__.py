"""Shell text as commands: read as a shell parts and fills in words, with nothing executed."""

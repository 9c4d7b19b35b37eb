"""Shell text as commands, split and expanded as by a shell; nothing is executed."""

"""iostat's output formats, and what they share."""

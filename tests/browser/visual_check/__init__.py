"""`bin/visual-check`: open every analysis view of a running benchlab in Chromium and check it."""

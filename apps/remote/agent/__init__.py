"""The agent that runs on a host: one process per session, one supervisor per job.

Python 3.6+, standard library only. `docs/development/agent.md` is the protocol. Imports are
relative, so that the package also works inside the zipapp.
"""

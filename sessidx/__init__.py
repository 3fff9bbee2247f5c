"""sf: find the sessions that coding agents left on disk, and go back into one."""

__version__ = "0.1.0"

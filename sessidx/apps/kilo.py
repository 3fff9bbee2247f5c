"""Kilo CLI, made of OpenCode: the same tables in kilo.db. Seen in a home written by 7.7.7."""

from .opencode import OpenCode

APP = OpenCode("kilo", "@kilocode/cli")

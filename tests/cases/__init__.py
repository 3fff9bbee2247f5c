"""Trouble that people have with lists of sessions and with resuming them, one module a kind.

Where a public report tells of it, the test names that: owner/repository#number.
"""

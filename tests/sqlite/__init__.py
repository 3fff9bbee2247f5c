"""Another program's database, read while it runs: against SQLite's own answers, writers and damage."""

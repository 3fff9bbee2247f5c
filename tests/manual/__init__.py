"""The manual page sf(1), made of the commands themselves and of the README's tables."""

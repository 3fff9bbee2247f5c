"""The shell integration in real shells on a pseudo-terminal."""

"""What was said: found by a phrase of the conversation, in the files themselves; nothing of it is kept.

Said is what a person typed and what the agent answered in words. Which records hold that, each app
says in one place (`said.py` beside it); everything here knows no app.
"""

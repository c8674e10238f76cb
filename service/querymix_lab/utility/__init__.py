"""What a released log is still good for: each task of a consumer, learned from the released and from the original log.

lines.py       logs as lines; the split by time into what is learned from and what tests
scoring.py     one figure: original, released, baseline, relative, with an interval and a sentence
completion.py  query auto-completion          following.py  the next query of a session, and the clicked host
spelling.py    spelling correction            trends.py     categories and queries by day
suite.py       all tasks                      ranking.py    the next category of a user

Rules:
- The first four fifths of the original's lines are learned from, the last fifth tests. Of the released log only what
  was released until then is learned from, so neither side has seen what tests.
- All is a pure function of the lines and a seed.
"""

"""What a released log is still good for: each task of a consumer, learned from the released and from the original log.

The first four fifths of the original's lines are learned from, the last fifth tests (lines.py). Of the released log
only what was released until then is learned from, so neither side has seen what tests. All is a pure function of the
lines and a seed; scoring.py makes one figure of a measure, suite.py runs all tasks.
"""

"""What a released log is worth and what it gives away, by the measures of the papers.

Every measure takes two logs of batch/base.py, the original and the released one, and compares them user by user
unless it says otherwise. Percentages are between 0 and 100, as the papers print them.
"""

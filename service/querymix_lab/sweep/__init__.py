"""The study of one log: the method over many settings, every attack on what it releases, and one report.

grid.py       settings to measure, one factor varied at a time
measuring.py  one setting: release, time, memory, profiles, attacks; a pure function of the log and the setting
running.py    all settings, in parallel, each result kept as a file so that a run can be resumed
study_report.py  tables, plots and words: HTML, CSV and JSON
"""

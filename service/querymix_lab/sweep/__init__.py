"""The study of one log: the method over many settings, every attack on what it releases, and one report.

`grid` has the settings, `measuring` measures one, `running` all of them, in parallel, `study_report` writes it down.
"""

"""Knowledge sources: functions that read public or an operator's own data and yield facts.

`default.default_facts` feeds the bundle that ships with the package; `operator` reads what an operator brings.
"""

"""The offline methods: a whole log in, a whole released log out. Pure: no clock, no files, no network.

Every method is a function of `METHODS` (methods.py) with the types of base.py.
"""

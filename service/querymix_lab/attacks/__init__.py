"""Attacks on a released log: who asked which query?

Rules:
- An attack is a pure function: it gets what the attacker sees (`logs.Released`) and returns `Guesses`. It never
  gets the truth (`truth.Truth`), which only scores it.
- The attacker knows the method, its parameters and the classifier (Kerckhoffs's principle); each attack's docstring
  says what else it knows.
- Every score stands beside a baseline: what the attacker reaches without looking at the order of the log.
- Users, texts and categories are numbers here; no report shows a query or a user id.
"""

"""Surrogates: what stands for an identifier instead of being cut, so that one that was missed hides among them.

Where things stand:
- swapping.py: which kinds have a surrogate, and a query's text with them in place.
- people.py: names. places.py: addresses, postcodes, coordinates. words.py: e-mail, pages, accounts, dates, ages.
- nobody.py: numbers that are nobody's. forms.py: random signs in the form of others.

Source: D. Carrell et al., Hiding in plain sight: use of realistic surrogates to reduce exposure of protected health
information in clinical text, JAMIA 20(2), 2013.
"""

from querymix.core.surrogates.swapping import CUT, REMEMBERED, SWAPPED, Surrogates

__all__ = ["CUT", "REMEMBERED", "SWAPPED", "Surrogates"]

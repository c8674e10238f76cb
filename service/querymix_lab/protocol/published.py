"""What chapter 4 of the thesis prints. Figures 4.1 to 4.3 are drawings without numbers: figure 4.1 shows table 4.5.

Source: Erola 2013 (thesis), sections 4.6 and 4.7.
"""

from typing import Final

HOPS: Final = 3.59
RESPONSE_MS: Final = 4205.4
PREVIOUS_RESPONSE_MS: Final = 3914.0
"""Of the protocol before this one (Viejo and Castellà-Roca 2010)."""
LATENCY_MS: Final = 530.0
SEARCH_MS: Final = 400.0

PRUNING: Final = {
    (0, 0): (5.81, 2.89),
    (40, 80): (4.36, 3.39),
    (40, 60): (4.46, 3.37),
    (20, 80): (4.51, 3.27),
    (60, 80): (4.51, 3.53),
    (20, 40): (4.49, 3.18),
    (10, 30): (4.42, 3.18),
    (20, 30): (4.46, 3.19),
    (10, 20): (4.3, 3.11),
}
"""Table 4.1: average position and deviation of users with 10 neighbours, by the per cent of the vector deleted."""

EXPOSED_AT: Final = (60, 70, 80)
EXPOSED: Final = {
    1: (15.4, 15.1, 4.7),
    2: (12.6, 12.0, 4.7),
    3: (5.2, 4.0, 1.2),
    4: (4.67, 4.0, 2.0),
    5: (1.0, 1.0, 1.0),
    6: (1.3, 0.0, 0.0),
    7: (1.2, 0.0, 0.0),
    8: (0.0, 0.0, 0.0),
    9: (0.0, 0.0, 0.0),
    10: (0.0, 0.0, 0.0),
}
"""Table 4.2: of 1,000 users, those whose PEL is 60, 70 and 80 at least, by number of neighbours."""

SIMILARITY: Final = (81.31, 8.2, 2.22, 2.01, 1.13, 1.1, 1.47, 1.29, 1.01, 0.26)
"""Table 4.3: per cent of users whose PEL is up to 10, 20, ... 100."""

ZETA: Final = {
    0.0: (2.4, 2.0),
    0.01: (2.3, 5.0),
    0.02: (2.2, 93.0),
    0.03: (2.2, 100.0),
    0.04: (2.4, 100.0),
    0.06: (2.56, 100.0),
    0.08: (2.89, 100.0),
    0.10: (2.89, 100.0),
}
"""Table 4.4: per cent of honest and of selfish users that are exposed, by zeta."""

POSITIONS: Final = {
    1: (0.49, 0.49, 1.01, 0.01),
    2: (0.97, 0.87, 1.08, 0.08),
    3: (1.44, 1.22, 1.68, 0.72),
    4: (1.89, 1.55, 2.11, 0.95),
    5: (2.34, 1.89, 3.23, 1.21),
    6: (2.78, 2.21, 3.95, 1.55),
    7: (3.23, 2.52, 5.15, 2.15),
    8: (3.64, 2.83, 6.32, 2.41),
    9: (4.12, 3.09, 7.30, 2.40),
    10: (4.51, 3.51, 7.00, 2.91),
}
"""Table 4.5: average position and deviation, then those of the protocol before, by number of neighbours."""

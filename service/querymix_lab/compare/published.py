"""The papers' own figures, to stand beside ours.

Sources: thesis (Erola 2013), sections 4.5, 5.3.2, 5.4.4 and 5.5.3; Erola et al. 2011, section 4.2; the Clump paper,
section 6. Their figures are drawings: what their text says is here.
"""

from typing import Final

ILR_MDAV: Final = {3: 0.10, 35: 0.50}
"""Information lost by MDAV, by k: 1,000 users with 55,666 rows (thesis 5.3.2.2)."""
SAYINGS: Final = {
    "PEL": "Close to 100/k for every method that aggregates (thesis 5.3.2.1 and Figure 5.18).",
    "ILR": "About 10 % at k = 3 and 50 % at k = 35, for MDAV (thesis 5.3.2.2).",
    "SRP": "Above 1/k at every level, k = 2 to 5 (Erola et al. 2011, section 4.2.2).",
    "IL": "Lowest for the semantic method at every k from 2 to 7 (thesis, Figure 5.13).",
    "RL": "By categories lowest for the semantic method (thesis, Figure 5.17).",
    "korolova": "88 to 90 % of the queries are removed (thesis 5.5.3).",
    "clump": "Less distortion than Partition at every k in 5, 7, 10, 15.",
}

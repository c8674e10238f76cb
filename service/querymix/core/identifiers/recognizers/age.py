"""Ages over 89, where they are a person's ("aged 94", "94 year old"), not a house's.

Source: 45 CFR 164.514(b)(2)(i)(C).
"""

import re
from typing import Final

from querymix.core.identifiers.recognizers.base import Recognizer
from querymix.core.identifiers.spans import Findings, Identifier
from querymix.core.identifiers.tokens import QueryText

AGE: Final = re.compile(
    r"\b(?:aged?|turn(?:s|ed|ing)?|i am|i'm|im|she is|he is|who is)(?: of)? (9\d|1[01]\d)\b"
    r"(?! ?%| percent| degrees| (?!and|with|y)\w+s\b)"
    r"|(?<![\w.$-])(9\d|1[01]\d) ?-?(?:y/o|yo|yr old|yrs old|y\.o\.)(?!\w)"
    r"|(?<![\w.$-])(9\d|1[01]\d)[ -](?:years?|yrs?|yr)[ -]?(?:old|of age)(?!\w)"
    r"(?!-? (?:house|home|building|barn|church|tree|oak|wine|whiskey|whisky|scotch|bottle|tortoise|turtle|piano|violin|"
    r"book|bible|coin|painting|clock|company|school|bridge|car|quilt|cookbook|recipe|photo|mystery|rum|brandy|law)s?\b)"
)

HIGH_AGE: Final = re.compile(r"(?<![0-9])(?:9|1[01])[0-9](?![0-9])")


def find(query: QueryText, finds: Findings) -> None:
    """Add high ages."""
    if HIGH_AGE.search(query.text):
        for match in AGE.finditer(query.text):
            group = match.lastindex or 1
            finds.append(Identifier("age", match.start(group), match.end(group) if group == 1 else match.end()))


RECOGNIZER: Final[Recognizer] = Recognizer(find, digits=2)

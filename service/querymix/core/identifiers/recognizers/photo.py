"""Names of photographs and scans that a camera or a registry gave: "img_4411.jpg", "fingerprint 00123"."""

from typing import Final

from querymix.core.expressions import expression
from querymix.core.identifiers.numbers import only_digits
from querymix.core.identifiers.recognizers.base import Recognizer
from querymix.core.identifiers.spans import Findings, Identifier, word_set
from querymix.core.identifiers.tokens import QueryText

PHOTO: Final = expression(
    r"(?<!\w)(?:img|dsc|dscn|dscf|pict|mvc|photo|pic|image|scan|fingerprint|retina|iris|voiceprint|face)"
    r"(?:[_ -]|_scan_| scan | id | no | number | #){0,2}#?(\d{3,14}\w{0,4})"
    r"(?:\.(?:jpe?g|png|gif|bmp|tiff?|avi|mov))?(?!\w)"
)
PHOTO_FILE: Final = expression(r"(?<![\w.-])[\w-]{3,60}\.(?:jpe?g|png|gif|bmp|tiff?)(?!\w)")

FILE_END: Final = expression(r"\.(?:jpe?g|png|gif|bmp|tif)")
"""How a picture's file ends, found sooner than all of its name."""

PICTURE_WORDS: Final = word_set("photo pic image scan fingerprint retina iris voiceprint face")
CAMERAS: Final = PICTURE_WORDS | word_set("img dsc dscn dscf pict mvc")
"""Words that begin a picture's name."""
CAMERA_PREFIXES: Final = word_set("img dsc pic mvc pho ima sca")
"""First three letters of those, for a name in one piece."""


def find(query: QueryText, finds: Findings) -> None:
    """Add names of photographs."""
    text = query.text
    if "." in text or query.says(PICTURE_WORDS) or not CAMERA_PREFIXES.isdisjoint([word[:3] for word in query.words]):
        finds.extend(Identifier("photo", *match.span()) for match in PHOTO.finditer(text))
        for match in PHOTO_FILE.finditer(text) if FILE_END.search(text) else ():
            if len(only_digits(match[0])) >= 3:
                finds.append(Identifier("photo", *match.span()))


RECOGNIZER: Final[Recognizer] = Recognizer(find, digits=3)

"""Addresses of personal pages: a user's path on a host of many, or a user's subdomain.

Rules:
- A host alone stays, and so do a host's own pages ("myspace.com/music").
"""

from typing import Final

from querymix.core.expressions import expression
from querymix.core.identifiers.recognizers.base import Recognizer
from querymix.core.identifiers.spans import Findings, Identifier
from querymix.core.identifiers.tokens import QueryText

HOSTING: Final = (
    r"blogspot|livejournal|wordpress|tripod|tumblr|typepad|deviantart|xanga|weebly|webs|angelfire|freewebs|multiply|hi5|"
    r"vox|wixsite|github|neocities"
)
URL: Final = expression(
    r"(?<![\w@.-])(?:https?://|www\.)?(?:[\w-]{1,63}\.){1,4}[a-z]{2,6}(?::\d{1,5})?/[^\s]{1,200}"
    rf"|(?<![\w@-])(?:https?://|www\.)?(?!www\.)[\w-]{{2,63}}\.(?:{HOSTING})\.(?:com|net|org|io)(?!\w)(?:/\S{{0,200}})?"
)
URL_HINT: Final = expression(rf"\.(?:{HOSTING})\.(?:com|net|org|io)")
USER_DOMAIN: Final = expression(r"(?:blogspot|livejournal|tripod|tumblr|wordpress)\.com/")
PERSONAL_HOST: Final = expression(
    r"(?:^|//|\.|@)(?:myspace|facebook|geocities|angelfire|tripod|xanga|friendster|linkedin|twitter|instagram|flickr|"
    r"livejournal|hi5|bebo|tagged|orkut|multiply|classmates|blackplanet|migente|photobucket|webshots|picturetrail|"
    r"freewebs|piczo|tumblr|pinterest|snapchat|tiktok|youtube|last|soundcloud|deviantart|github|about|vk|"
    r"members\.aol|hometown\.aol|pages\.prodigy|home\.comcast|home\.earthlink|plus\.google|profiles\.yahoo|360\.yahoo|"
    r"x|t|medium|patreon|venmo|ancestry|caringbridge|theknot|match|okcupid|reddit|quora|steamcommunity|goodreads|"
    r"[\w-]+\.blogspot|blogger|weebly|webs)\.(?:com|net|org|fm|me|io|tv|co)/"
)
PERSONAL_PATH: Final = expression(
    r"/~[\w.-]|/(?:users?|u|people|person|profiles?|members?|homepages?|personal|faculty|students?|resume|cv)/[\w.~%-]{2,}"
    r"|[?&](?:user|uid|id|friendid|profile|member|u)=[\w.-]{2,}"
)
IMPERSONAL: Final = expression(
    r"/(?:login|signup|home|index|search|about|help|music|video|videos|watch|browse|apps|download|downloads|events|"
    r"groups|pages|jobs|company|news|games|layouts|policies|terms|privacy|explore|trending|channel|developers|"
    r"wiki|r|hashtag|topic|topics|settings|marketplace|tv|movies|films|maps|images|support)?(?:\.\w{2,5})?(?:[/?#]\S*)?$"
)


def find(query: QueryText, finds: Findings) -> None:
    """Add addresses of personal pages."""
    text = query.text
    if "." not in text or not ("/" in text or URL_HINT.search(text)):
        return
    for match in URL.finditer(text):
        url = match[0]
        subdomain = "/" not in url.partition("//")[2 if "://" in url else 0]
        hosted = PERSONAL_HOST.search(url) or USER_DOMAIN.search(url)
        if subdomain or PERSONAL_PATH.search(url) or (hosted and not IMPERSONAL.search(url.partition("//")[2] or url)):
            finds.append(Identifier("url", *match.span()))


RECOGNIZER: Final[Recognizer] = Recognizer(find, marks=".")

"""What a worker's options leave to the eyes of others, in plain words and with the way out.

Rules:
- It is pure, and neither a secret nor a host is in a text.
- What stays on this machine is not exposed by it.
"""

import re
from typing import Final

from querymix.core.pseudonyms import MAKE
from querymix.settings.service import WorkerSettings

_OWN: Final = re.compile(r"(localhost|127(\.\d+){3}|\[?::1\]?|.*\.sock)(:\d*)?", re.IGNORECASE)
"""A host that is this machine, with its port; or a socket of MongoDB's."""
_TLS: Final = re.compile(r"^mongodb\+srv://(?!.*\b(tls|ssl)=false)|\b(tls|ssl)=true", re.IGNORECASE)
_AUTHORITY: Final = re.compile(r"^[a-z+]*://(?:.*@)?([^/?]*)", re.IGNORECASE | re.DOTALL)


def exposed(settings: WorkerSettings, mongodb: str) -> list[str]:
    """Return what is to be said at the start. `mongodb` is the URI in use."""
    found = []
    protocol = settings.security_protocol
    if not protocol.endswith("SSL") and _leaves(settings.broker):
        also = "" if protocol.startswith("SASL") else ", and no broker asks who reads them"
        found.append(
            f"--security-protocol {protocol}: raw queries and user ids go over the network in the clear{also}. Set up "
            "TLS at the brokers and give --security-protocol SASL_SSL"
        )
    used = "profiler" in settings.roles or settings.knowledge_from == "mongodb"
    if used and not _TLS.search(mongodb) and (named := _AUTHORITY.match(mongodb)) and _leaves(named[1]):
        found.append("profiles go over the network in the clear: set up TLS at MongoDB, and add tls=true to its URI")
    lasts = settings.pseudonym_period is None
    if lasts and "classifier" in settings.roles and settings.pseudonym_key_file is None and settings.format != "access":
        found.append(
            "user ids are released as they came, so whoever knows one finds its lines: give --pseudonym-key-file FILE "
            f"(make one with: {MAKE}). To a service that has run without it all users are new then"
        )
    return found


def _leaves(hosts: str) -> bool:
    """Say whether one of these hosts, parted by commas, is another machine."""
    return not all(_OWN.fullmatch(host.strip()) for host in hosts.split(","))

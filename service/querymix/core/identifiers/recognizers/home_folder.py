"""The account's name in the path of a home folder: "c:\\users\\jbrown\\desktop", "/home/jbrown/.ssh".

Rules:
- The name alone goes; the path around it stays. A name of several words ("c:\\users\\jane doe\\") ends at the mark
  after it.
- The names that systems, images and examples use ("public", "root", "ubuntu", "username") stay, and so do the pages of
  web sites ("/users/sign_in").
"""

import re
from typing import Final

from querymix.core.expressions import expression
from querymix.core.identifiers.recognizers.base import Recognizer
from querymix.core.identifiers.spans import Findings, Identifier, word_set
from querymix.core.identifiers.tokens import QueryText

WINDOWS: Final = expression(
    r"(?:(?<![a-z0-9])[a-z]:|\\\\[\w.$-]{1,60}|(?<![\w:])|%systemdrive%)[\\/]{1,2}"
    r"(?:users|documents and settings|benutzer|utilisateurs|usuarios|docume~1)[\\/]{1,2}"
    r"(\w[^\\/:*?\"<>|]{0,60}(?=[\\/])|\w[^\s\\/:*?\"<>|,;)]{0,60})"
)
UNIX: Final = expression(
    r"(?:(?<![\w.~%/-])|(?<=file://)|(?<=localhost)|(?:smb|afp|cifs|nfs|sftp|ssh)://[\w.-]{1,60})"
    r"(?:/(?:mnt|private|system/volumes/data|cygdrive|export|var|usr|data|nfs|srv|media|storage|"
    r"volumes/[\w ]{1,40}|net)(?:/[a-z])?)?"
    r"/(?:home|users)/(?:(?:students?|staff|faculty|grads?|uni)/(?=\w))?(\w[\w.+@-]{0,60})"
    r"|(?<![^\s\"'=:])~([a-z_][\w.-]{1,31})/"
)
"""A path from the root; also after a host ("host:/home/jbrown") and the mark of a file's address."""
NO_PERSON: Final = word_set(
    "public default root user users username usernames name yourname your_name your-name yourusername you myuser "
    "myname admin administrator administrateur administrador guest nobody ubuntu pi ec2-user vagrant debian "
    "centos fedora "
    "opc core arch alpine git svn www www-data web apache nginx httpd app apps node test tests tester testuser runner "
    "runneradmin circleci travis jenkins docker kali oracle hadoop postgres mysql redis steam deck lib shared me foo "
    "bar baz xxx xyz linuxbrew coder codespace vscode gitpod jovyan dev developer devel home local owner pc computer "
    "desktop downloads documents library applications defaultuser0 defaultapppool all bin build builder ci deploy "
    "service services system server demo example sample student someone somebody sign_in sign_up signin signup login "
    "logout edit new password profile list search index account settings register help all.users default.migrated "
    "student students staff faculty grad grads uni "
    "wdagutilityaccount runner-user azureuser bitnami cloud-user cloudera elastic gitlab-runner odoo plex media u usr"
)
SAMPLES: Final = frozenset({"all users", "default user", "your name", "user name", "my name"})


def find(query: QueryText, finds: Findings) -> None:
    """Add the names of home folders."""
    text = query.text
    if "users" in text or "\\" in text:
        _add(WINDOWS, text, finds)
    if "/home" in text or "/users" in text or "~" in text:
        _add(UNIX, text, finds)


def _add(pattern: re.Pattern[str], text: str, finds: Findings) -> None:
    for match in pattern.finditer(text):
        group = match.lastindex or 1
        name = match[group].strip(" .")
        if name not in NO_PERSON and name not in SAMPLES and not name.isdigit():
            finds.append(Identifier("username", match.start(group), match.start(group) + len(name)))


RECOGNIZER: Final = Recognizer(find, marks="/\\")

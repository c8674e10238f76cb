"""The account's name in the path of a home folder is found; the names of systems stay. All data is made up."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.querymix.core.identifiers.kit import goes, lines, released

GOES = r"""
c:\users\jane doe\documents\cv.doc => jane doe
C:\Users\JBrown => JBrown
c:/users/jbrown/desktop => jbrown
c:\documents and settings\jbrown\desktop => jbrown
/users/jbrown/library/caches => jbrown
/Users/jbrown => jbrown
/home/jbrown => jbrown
cd /home/jbrown/src => jbrown
"/home/jbrown/x" => jbrown
file:///home/jbrown/x.pdf => jbrown
file:///Users/jbrown/x.pdf => jbrown
/mnt/c/users/jbrown/x => jbrown
scp host:/home/jbrown/x . => jbrown
\\server\users\jbrown => jbrown
\users\jbrown\appdata => jbrown
~jbrown/.ssh => jbrown
/export/home/jbrown => jbrown
error in /home/j.brown-2/app.py line 3 => j.brown-2
path=/home/jbrown/bin => jbrown
d:\users\jbrown\x => jbrown
c:\\users\\jbrown\\x => jbrown
"""


@pytest.mark.parametrize("line", lines(GOES))
def test_nothing_of_it_is_left(line: str) -> None:
    text, parts = goes(line)
    left, kinds = released(text)
    assert [part for part in parts if part in left] == []
    assert kinds


STAYS = r"""
c:\users\public\desktop
c:\users\default\ntuser.dat
c:\users\all users\x
c:\users\administrator\desktop
c:\users
c:\windows\system32
/home/user/.bashrc
/home/ubuntu/app
/root/.ssh
/home/pi
/users/shared
/home
/home/$user/x
c:\users\%username%\appdata
/home/<user>/x
/usr/local/bin/python
/etc/passwd
~/.bashrc
~/documents
home depot
/home/runner/work
users/sign_in rails
and/or
http://example.com/home/index.html
c:\program files\x
/users/sign_in
"""


@pytest.mark.parametrize("text", lines(STAYS))
def test_a_look_alike_stays(text: str) -> None:
    assert released(text) == (text, [])


PATHS = ("c:\\users\\{}\\desktop", "/home/{}/.ssh", "/Users/{}/x", "file:///c:/users/{}/x.pdf", "cp /home/{}/a b")


@settings(max_examples=60, deadline=None)
@given(st.from_regex("[b-dj-w]{2}[0-9][a-z0-9]{1,8}", fullmatch=True), st.sampled_from(PATHS))
def test_any_name_goes_and_the_path_stays(name: str, path: str) -> None:
    before, after = path.split("{}")
    left, kinds = released(path.format(name))
    assert kinds == ["username"]
    assert left.split() == f"{before} {after}".split()

"""`python -m querymix` is `querymix`."""

from querymix.cli import main

main()

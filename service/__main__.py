"""`python -m service` is `querymix`."""

from service.cli import main

main()

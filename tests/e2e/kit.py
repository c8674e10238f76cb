"""What tests of stopped runs share: a run that is hit by a signal as it writes, and looks at files that may go."""

from pathlib import Path

HIT = """
import os, sys
from querymix.cli import main
from querymix.local.output import Output

write = Output.write

def hit(self, data):
    write(self, data)
    if data and not self.name.endswith("refused"):
        Output.write = write  # once
        os.kill(os.getpid(), number)

number, sys.argv = int(sys.argv[1]), ["querymix", *sys.argv[2:]]
Output.write = hit
main()
"""


def hit_as_it_writes(number: int) -> tuple[str, ...]:
    """Return how Python starts a command line that sends itself a signal once it has released some lines.

    No clock decides when, as where a test looks at its files: a busy machine may let it end between two looks.
    """
    return ("-c", HIT, str(number))


def size_of(path: Path) -> int:
    """Return the size of a file, 0 where it is not there; it may go between two looks."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0

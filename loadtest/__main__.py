"""The command line of the load tests: `python -m loadtest COMMAND`.

Exit codes, of every command: 0 done; 1 a disk, a broker or another program failed; 2 an option or a file is wrong;
3 done, but an input could not be read, or not to its end; 130 interrupted.
"""

from typing import Final

import click
from querymix.cli import Lazy

COMMANDS: Final = {
    "run": "loadtest.commands.run:run",
    "compare": "loadtest.commands.compare:compare",
    "capacity": "loadtest.commands.capacity:capacity",
    "growth": "loadtest.commands.growth:growth",
    "replay": "loadtest.commands.replay:replay",
    "synthesize": "loadtest.commands.synthesize:synthesize",
    "describe": "loadtest.commands.describe:describe",
    "demo": "loadtest.commands.demo:demo",
}


class _Commands(Lazy):
    places = COMMANDS


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
def main() -> None:
    """Make query logs and put load on querymix."""


if __name__ == "__main__":
    main(prog_name="python -m loadtest")

"""The command line of the load tests: `python -m loadtest COMMAND`.

Exit codes, of every command: 0 done; 1 a disk, a broker or another program failed; 2 an option or a file is wrong;
3 done, but an input could not be read, or not to its end; 130 interrupted.
"""

from typing import Final

import click
from querymix.cli import ErrorReportingGroup
from querymix.commands.lazy import Place

COMMANDS: Final = {
    "run": Place("loadtest.commands.run", "run"),
    "compare": Place("loadtest.commands.compare", "compare"),
    "capacity": Place("loadtest.commands.capacity", "capacity"),
    "growth": Place("loadtest.commands.growth", "growth"),
    "replay": Place("loadtest.commands.replay", "replay"),
    "synthesize": Place("loadtest.commands.synthesize", "synthesize"),
    "describe": Place("loadtest.commands.describe", "describe"),
    "demo": Place("loadtest.commands.demo", "demo"),
}


@click.group(
    cls=ErrorReportingGroup,
    places=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
def main() -> None:
    """Make query logs and put load on querymix."""


if __name__ == "__main__":
    main(prog_name="python -m loadtest")

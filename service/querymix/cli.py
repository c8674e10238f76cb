"""The command line. Each command lives in a file of its own in `commands`, or in the laboratory."""

import atexit
import gc
import os
import sys
from contextlib import suppress
from typing import Any, Final

try:
    import click

    import querymix
    from querymix.commands.common import (
        FAILED,
        INTERRUPTED,
        UNUSABLE_STREAM,
        drop_unwritable_errors,
        fail,
        flush,
        output_failure,
        prepare_streams,
        reporting,
    )
    from querymix.commands.lazy import LAB, LazyGroup, Place
    from querymix.core import errors
    from querymix.cores import no_cores
    from querymix.native_path import module
    from querymix.terminal import visible
except KeyboardInterrupt:  # they take long enough to be interrupted in
    print("querymix: interrupted: give the same command again", file=sys.stderr)  # noqa: T201 - click may not be there
    raise SystemExit(130) from None

SERVICE: Final = ("aiohttp", "aiokafka", "faust", "mode", "prometheus_client", "pymongo")
"""Packages that a worker cannot do without."""
COMMANDS: Final = {
    "run": Place("querymix.commands.run", "run"),
    "check": Place("querymix.commands.check", "check"),
    "schema": Place("querymix.commands.schema", "schema"),
    "policy": Place("querymix.commands.policy", "policy"),
    "classify": Place("querymix.commands.classify", "classify"),
    "profiles": Place("querymix.commands.profiles", "profiles"),
    "batch": LAB,
    "compare": LAB,
    "attack": LAB,
    "match": LAB,
    "study": LAB,
    "worker": Place("querymix.commands.worker", "worker", SERVICE),
    "topics": Place("querymix.commands.topics", "topics"),
    "upgrade": Place("querymix.commands.upgrade", "upgrade", ("prometheus_client",)),
    "account": Place("querymix.commands.account", "account"),
    "status": Place("querymix.commands.status", "status"),
    "deadletter": Place("querymix.commands.deadletter", "deadletter"),
    "knowledge": Place("querymix.commands.knowledge", "knowledge"),
    "crowd": Place("querymix.commands.crowd", "crowd"),
}


class ErrorReportingGroup(LazyGroup):
    """The group whose commands end without a traceback where a standard stream fails or the user interrupts."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run the command line with standard streams that can be used."""
        prepare_streams()
        no_cores()
        # Options may hold secrets, which no plugin is shown; and to look for some takes time at each start.
        os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
        atexit.register(gc.freeze)  # the process ends: a last look for garbage would cost a small run an eighth
        try:
            return super().main(*args, **kwargs)
        except OSError as error:  # --help and usage errors, which are printed outside of any command
            told = error.__context__
            fail(str(output_failure(error)), told.exit_code if isinstance(told, click.ClickException) else FAILED)
        except SystemExit:
            with suppress(KeyboardInterrupt):  # all is done by now
                reporting(flush)()
            raise
        finally:
            drop_unwritable_errors()

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        """Parse the options of the group itself."""
        try:
            return super().make_context(*args, **kwargs)
        except click.ClickException as error:
            raise _shown(error) from None

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; an error of the system that it did not foresee is told by its reason."""
        try:
            return super().invoke(ctx)
        except click.ClickException as error:
            raise _shown(error) from None
        except KeyboardInterrupt:
            fail("interrupted: give the same command again", INTERRUPTED)
        except OSError as error:
            if error.filename is None and error.errno in UNUSABLE_STREAM:
                fail(str(output_failure(error)), FAILED)
            fail(
                f"{error.filename or 'the system'}: {errors.reason(error)}. "
                "See to that and give the same command again.",
                FAILED,
            )


def _shown(error: click.ClickException) -> click.ClickException:
    """Return an error that says nothing that a terminal would obey: it repeats what was typed, or a script gave."""
    message = visible(error.format_message())
    error.format_message = lambda: message  # type: ignore[method-assign]
    return error


def _show_version(context: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked and not context.resilient_parsing:
        click.echo(visible(f"querymix, version {querymix.__version__} ({_build()})"))
        context.exit()


def _build() -> str:
    """Return what classifies: the native path, or Python alone; where a run would refuse the native path, why."""
    try:
        return "plain Python" if module() is None else "native"
    except errors.ConfigError as error:
        return f"native. {error}"


@click.group(
    cls=ErrorReportingGroup,
    places=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.option(
    "--version", is_flag=True, expose_value=False, is_eager=True, callback=_show_version,
    help="Show the version and exit.",
)  # fmt: skip
def main() -> None:
    """Turn a web search engine's query log into one that can be released."""

"""`querymix schema`: what a released record may hold, for those who read it."""

from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import click

from querymix.codecs.recognize import AOL
from querymix.codecs.schema import schema_of
from querymix.commands.common import print_json, reporting
from querymix.commands.lazy import late
from querymix.commands.options import options
from querymix.local.forms import form_of
from querymix.local.reading import Input
from querymix.settings import RunSettings, load

_make_codec: Final = late("querymix.bootstrap.parts", "make_codec")


@click.command(short_help="Print the JSON Schema of what leaves.")
@click.argument("log", required=False)
@options(RunSettings)
@reporting
def schema(log: str | None, settings: Path | None, **given: Any) -> None:
    """Print the JSON Schema (draft 2020-12) of the records that a run or a worker with these options releases.

    \b
    querymix schema --fields user=uid,query=q,time=ts --time-form iso
    querymix schema log.jsonl --settings querymix.toml

    Without LOG the form is JSON, and the form of times any that --time-form does not rule out.

    Exit codes: 0 done; 2 an option or the file is wrong, or what leaves is no JSON.
    """
    chosen = load(RunSettings, given, settings)
    with ExitStack() as owned:
        if log is None:
            form, times = AOL._replace(format="json" if chosen.format == "auto" else chosen.format), None
        else:
            source = Input(log)
            owned.callback(source.close)
            form = form_of([source], chosen)
            times = form.times
    codec = _make_codec(chosen, chosen.time_policy, chosen.time_precision, form)
    print_json(
        schema_of(
            codec,
            times if chosen.time_form == "auto" else chosen.time_form,
            urls=chosen.urls,
            precision=chosen.time_precision,
            made_ids=chosen.pseudonym_period is not None,
            groups=[field for ladder in chosen.generalize.values() for field in ladder],
        )
    )

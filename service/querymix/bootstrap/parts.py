"""The one place where parts are put together out of settings; commands only parse and print.

Rules:
- A function here makes one part, and takes the settings of that part alone.
- What opens a file or a connection is closed by the `ExitStack` that the caller hands in.
- Packages of the extras are imported inside the functions that need them, so that a run needs none of them.
"""

import gc
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any, Final, NamedTuple

from querymix.bootstrap.crowding import make_crowding
from querymix.bootstrap.generalizing import ladder_fields, never_filled
from querymix.bootstrap.profiles import finish, open_profiles
from querymix.bootstrap.pseudonym_key import make_pseudonyms
from querymix.bootstrap.screening import crowd_findings, crowd_identity, open_crowd, screening_rules
from querymix.bootstrap.swapping import make_surrogates, make_swapping
from querymix.codecs.access_log import AccessLogCodec
from querymix.codecs.aol import AolCodec
from querymix.codecs.base import CategoryColumn, Codec, TimePolicy
from querymix.codecs.delimited import DelimitedCodec
from querymix.codecs.jsonlines import CATEGORY, JsonLinesCodec
from querymix.codecs.recognize import AOL, FORMS, Form
from querymix.codecs.spelling import TIME_FORM, TimeForm
from querymix.core.classify import Classify
from querymix.core.draw import system_draw
from querymix.core.errors import ConfigError
from querymix.core.identifiers import Detector, kinds_but
from querymix.core.paper import PaperClassifier
from querymix.core.pseudonyms import Pseudonyms
from querymix.core.rules import Rules
from querymix.core.terms import TermsClassifier
from querymix.core.unknown import Reduce
from querymix.knowledge.bundle import DEFAULT, Bundle
from querymix.knowledge.engine import make_engine
from querymix.local.checkpoint import PIPE, Checkpoint
from querymix.local.command_files import is_sorted, make_lines, refused_name
from querymix.local.noticed import Noticed
from querymix.local.reading import Input
from querymix.local.runner import Run
from querymix.local.sources import Source
from querymix.local.verdict import Finding, judge
from querymix.settings import (
    BundleSettings,
    FormSettings,
    KnowledgeSettings,
    MethodSettings,
    OutputSettings,
    ReleaseSettings,
    RunSettings,
)
from querymix.settings.presets import old_name
from querymix.stages.cells import Cells, Ordering
from querymix.stages.classifying import Classifying
from querymix.stages.period_ids import PeriodIds
from querymix.stages.pooling import Pooling
from querymix.stages.releasing import Releasing
from querymix.stages.screening import Rule


def open_bundle(settings: BundleSettings) -> Bundle:
    """Open the knowledge bundle that the settings name."""
    return Bundle(settings.knowledge or DEFAULT)


def make_detector(settings: KnowledgeSettings, bundle: Bundle) -> Detector:
    """Return what finds the identifiers that are to be cut.

    Raises ConfigError where a kind of identifier is unknown.
    """
    try:
        return Detector(bundle, kinds_but(settings.keep_identifiers))
    except ValueError as error:
        raise ConfigError(f"--keep-identifiers: {error}") from None


def make_classifier(settings: KnowledgeSettings, bundle: Bundle) -> Classify:
    """Put a classifier together. Raises ConfigError where a kind of identifier is unknown."""
    detector = make_detector(settings, bundle)
    if settings.classifier == "paper":
        return PaperClassifier(bundle, detector)
    engine = make_engine(bundle, settings.confidence)
    reduce = Reduce(bundle, bundle.counts, engine.likeliest if engine else None)
    return TermsClassifier(
        bundle,
        detector,
        reduce,
        bundle.bias,
        settings.confidence,
        reads_hosts=bundle.has_hosts,
        pieces=bundle.piece_weights,
        engine=engine,
    )


def make_codec(settings: FormSettings, time: TimePolicy, precision: float | None = None, form: Form = AOL) -> Codec:
    """Return the codec of a log's form. Raises ConfigError where an option or a field is another form's."""
    safe, urls = (settings.safe_fields, settings.urls) if isinstance(settings, ReleaseSettings) else ([], "host")
    category: CategoryColumn = settings.category_column if isinstance(settings, OutputSettings) else "off"
    ladder = ladder_fields(settings, form)
    if category == "on" and CATEGORY in (*safe, *ladder, *settings.outer_names):
        raise ConfigError(f"--category-column writes the field {CATEGORY!r}, which the log has: leave it out")
    method: dict[str, Any] = {"time": time, "urls": urls, "precision": precision, "category": category}
    method["longest_query"] = settings.longest_query
    times = _time_form(settings, form)
    if form.format == "aol":
        if safe or settings.fields:
            option = "--safe-fields" if safe else "--fields"
            raise ConfigError(
                f"{option} names fields, and the AOL form has none: leave it out, or name the log's own form, such as "
                "--format json"
            )
        return AolCodec(**method)
    if form.format == "access":
        if safe:
            raise ConfigError("--safe-fields cannot be given with --format access: of its lines only the query leaves")
        return AccessLogCodec(fields=settings.fields, **method)
    method |= {"fields": form.names or settings.fields, "safe": [*safe, *ladder], "time_form": times}
    if form.format == "json":
        return JsonLinesCodec(single=ladder, **method)
    if lost := [name for name in safe if name not in form.columns]:
        raise ConfigError(f"--safe-fields: the header has no column {lost[0]!r}")
    return DelimitedCodec(form.columns, kind=form.format, delimiter=form.delimiter, headed=form.headed, **method)


def _time_form(settings: FormSettings, form: Form) -> TimeForm:
    chosen = settings.time_form if isinstance(settings, ReleaseSettings) else TIME_FORM
    if form.format in ("aol", "access") and chosen not in ("auto", TIME_FORM):
        raise ConfigError(f"--time-form cannot be given with {FORMS[form.format]}: its times have one form")
    return form.times if chosen == "auto" else chosen


def make_rules(settings: MethodSettings) -> Rules:
    """Return the pools' rules that the settings name."""
    return Rules(**{name: getattr(settings, name) for name in Rules._fields})


def make_ordering(settings: MethodSettings) -> Ordering:
    """Return how lines are put in order that the settings name."""
    return Ordering(settings.time_precision, settings.time_policy)


def make_classifying(
    settings: MethodSettings, bundle: Bundle, pseudonyms: Pseudonyms | None, rules: Sequence[Rule]
) -> Classifying:
    """Return the first stage; `rules` are what screens. Raises ConfigError where a kind of identifier is unknown."""
    return Classifying(
        make_classifier(settings, bundle),
        unclassified=settings.unclassified,
        pseudonyms=pseudonyms,
        rules=rules,
        swapping=make_swapping(settings, make_surrogates(settings)),
    )


def make_releasing(
    settings: MethodSettings, log_format: str, ordering: Ordering, *, in_order: bool = False
) -> Releasing:
    """Return the last stage over one stream, which draws from the operating system's generator.

    `in_order` says that its queries come in the order of their times. Raises ConfigError where a rule is out of range.
    """
    pooling = Pooling(make_rules(settings), system_draw(), log_format, in_order=in_order)
    return Releasing(pooling, Cells(ordering, system_draw()), make_crowding(settings))


_OPTIONS_OF_0_3_0: Final = frozenset(
    {
        "classifier", "click_wait", "confidence", "dedupe", "delta", "draw", "established", "format", "hold_policy",
        "json_fields", "k", "keep_identifiers", "max_hold", "mode", "order", "output", "preset", "profiles",
        "pseudonym_key_file", "refused", "safe_fields", "time_policy", "time_precision", "unclassified", "urls",
    }
)  # fmt: skip


class LocalRun(NamedTuple):
    """A run, and what is to be done once its figures were told."""

    run: Run
    finish: Callable[[], None]
    """Adds what the run counted to the profiles, where that waits for its end."""
    judge: Callable[[Mapping[str, Any]], list[Finding]]
    """Says what is to be known of the summary's figures (querymix.local.verdict)."""
    rules: Rules


def make_run(
    sources: list[Input], form: Form, bundle: Bundle, settings: RunSettings, owned: ExitStack, tick: Callable[[], None]
) -> LocalRun:
    """Put a local run together over inputs of a form; `tick` is called now and then, for a progress bar.

    Raises ConfigError where an output, the profiles or the state cannot be used.
    """
    pseudonyms = make_pseudonyms(settings, form, kept=bool(settings.folder or settings.profiles))
    codec, table = make_codec(settings, settings.time_policy, settings.time_precision, form), open_crowd(settings)
    classifying = make_classifying(settings, bundle, pseudonyms, screening_rules(settings, table))
    in_order = settings.order == "time" and sources[0].regular
    # A state remembers what was counted, and a pipe is counted as it goes, since it may never end.
    profiles = open_profiles(settings.profiles, owned, at_end=sources[0].regular and not settings.folder)
    checkpoint = None
    if settings.folder:
        identity = _identity(settings, form, sources, bundle.version, pseudonyms) | crowd_identity(table)
        checkpoint = Checkpoint(settings.folder, identity, again=settings.again == "on")
        owned.callback(checkpoint.close)
    # Where the whole output is sorted, cells have nothing to add.
    ordering = Ordering() if is_sorted(settings, sources) else make_ordering(settings)
    rules = make_rules(settings)
    noticed = Noticed(rules.k + rules.reserve, str if pseudonyms is None else pseudonyms.__getitem__)
    run = Run(
        Source(sources, codec, in_order=in_order, clock=tick),
        codec,
        classifying,
        make_releasing(settings, codec.format, ordering, in_order=in_order),
        profiles,
        make_lines(settings, sources, form, system_draw()),
        refused_name(settings),
        noticed=noticed,
        ids=PeriodIds(settings.pseudonym_period),
        checkpoint=checkpoint,
        carry=settings.state is not None,
        tick=tick,
    )

    def verdict(summary: Mapping[str, Any]) -> list[Finding]:
        of_crowd = crowd_findings(table, noticed.latest, checkpoint)
        empty = partial(never_filled, settings, classifying.filled)
        return [*judge(summary, rules, noticed, settings.max_refused, empty), *of_crowd]

    return LocalRun(run, lambda: finish(profiles), verdict, rules)


def _identity(
    settings: RunSettings, form: Form, sources: Sequence[Input], knowledge: str, pseudonyms: Pseudonyms | None
) -> dict[str, Any]:
    """Return what must be the same for a killed run to be resumed.

    Options that came after 0.3.0 count where they are not at their defaults, so that its states are resumed.
    """
    left_out = {"again", "state", "checkpoint", "fields", "knowledge", "max_refused"}
    given = settings.model_dump(mode="json", exclude=left_out)
    given |= {"format": form.format, "json_fields": settings.fields, "preset": old_name(settings.preset)}
    defaults = RunSettings.model_construct().model_dump(mode="json", include=given.keys() - _OPTIONS_OF_0_3_0)
    same = {name: value for name, value in given.items() if name not in defaults or value != defaults[name]}
    names = {**AOL._replace(format=form.format).defaults, **settings.fields}
    usual = {"delimiter": AOL.delimiter, "columns": [], "headed": False, "names": names}
    told = {"delimiter": form.delimiter, "columns": list(form.columns), "headed": form.headed, "names": form.names}
    if form.names and told != usual:
        same["form"] = {name: value for name, value in told.items() if value != usual[name]}
    if pseudonyms is not None:
        same["pseudonym_key"] = pseudonyms["checkpoint"]  # tells another key, and not the key
    same |= {"pseudonym_period": settings.pseudonym_period, "times": form.times, "knowledge": knowledge}
    return same | {"inputs": [list(source.identity) if source.regular else [PIPE] for source in sources]}


def collect_garbage_seldom() -> None:
    """Let the garbage collector leave alone what is here by now, and look seldom at what comes.

    What a log leaves behind is seldom a cycle, while the terms and answers that are remembered are many.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)

"""What a load test does, as one TOML file says it, and what is wrong with a file that does not.

Rules:
- Unknown keys and wrong types are refused, each named by its place in the file.
- Times are in seconds, rates in records a second, shares between 0 and 1.
- What a scenario expects is checked at the end; that the account adds up is always expected.
"""

from collections.abc import Iterable, Mapping
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from querymix.core.errors import ConfigError
from querymix.settings.values import read_toml

from loadtest.world import TOPICS

Positive = Annotated[float, Field(gt=0)]
Share = Annotated[float, Field(ge=0, le=1)]
Action = Literal[
    "kill worker", "stop worker", "add worker", "kill broker", "start broker", "kill database", "start database"
]


class Part(BaseModel):
    """A table of the file."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class Log(Part):
    """What is sent: a made-up log, or files."""

    lines: int = Field(200_000, ge=1)
    """Made-up lines; when they run out they are sent again under other users."""
    users: int = Field(20_000, ge=1)
    seed: int = Field(1, ge=0)
    files: list[str] = []
    """AOL files to send instead; a path is taken from the scenario's folder."""
    hot: str | None = None
    """A topic of the made-up vocabulary that most queries are about."""
    hot_share: Share = 0.8
    bad: Share = 0.0
    """Share of records that cannot be read, beside the others."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.hot is not None and self.hot not in TOPICS:
            raise ValueError(f"hot: {self.hot!r} is no topic; there are {', '.join(sorted(TOPICS))}")
        if self.hot is not None and self.files:
            raise ValueError("hot: only a made-up log has a hot category; take away 'files' or 'hot'")
        return self


class Step(Part):
    """Arrivals for some seconds or of so many records, at one rate or going evenly from one to another."""

    seconds: Positive | None = None
    logs: int | None = Field(None, ge=1)
    rate: Positive | None = None
    of_knee: Positive | None = None
    """The rate as a share of the knee that this run has found."""
    to: Positive | None = None
    """Rate at the end; without it the rate stays."""
    warm: bool = False
    """Whether this step only warms up: its figures are left out of those of the load."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if (self.seconds is None) == (self.logs is None):
            raise ValueError("give either 'seconds' or 'logs'")
        if (self.rate is None) == (self.of_knee is None):
            raise ValueError("give either 'rate' or 'of_knee'")
        if self.to is not None and self.rate is None:
            raise ValueError("'to' goes with 'rate', not with 'of_knee'")
        return self


class Knee(Part):
    """The search for the highest rate that the service keeps up with: steps that grow until it does not."""

    first: Positive
    growth: float = Field(1.4, gt=1.01, le=10)
    seconds: float = Field(10.0, ge=2)
    """Length of a step."""
    refine: int = Field(2, ge=0, le=8)
    """Steps between the last rate that was kept and the first that was not; each halves what is between them."""
    most: Positive = 1_000_000


class Service(Part):
    """The deployment that is started; one that is joined has its own."""

    workers: int = Field(1, ge=1, le=64)
    apart: bool = False
    """Whether each role has so many workers of its own: then the report tells what each role costs."""
    partitions: int = Field(4, ge=1, le=256)
    """Of each topic."""
    brokers: Literal[1, 3] = 1
    options: dict[str, str | int | float] = {}
    """Options of `querymix worker`, as in its TOML file: k = 20, max_hold = "10m", hot = "Arts=4"."""


class Event(Part):
    """Something that happens to the deployment."""

    at: float = Field(ge=0)
    """Seconds after the first log is due."""
    do: Action


class Expect(Part):
    """What must hold, beside the account."""

    p99_beyond_hold_ms: Positive | None = None
    lag_seconds_at_end: Annotated[float, Field(ge=0)] | None = None
    """Records that were sent and not taken in when the last was due, in seconds of arrivals."""
    kept_rate: Share | None = None
    """Least share of the arrivals that the service took in while they came."""
    recovery_seconds: Positive | None = None
    """Longest time after an event until the lag is what it was before it."""
    knee: Positive | None = None
    """Least knee."""
    widen: bool = False
    """Whether these are limits for two quiet cores, which get wider where this machine has less to give."""


class Scenario(Part):
    """One load test."""

    name: str = ""
    about: str = ""
    log: Log = Log()
    load: list[Step] = []
    knee: Knee | None = None
    service: Service = Service()
    event: list[Event] = []
    expect: Expect = Expect()
    drain: Annotated[float, Field(ge=0)] = 60.0
    """Seconds to wait, after the last log, for the service to take in what it has not."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if not self.load and self.knee is None:
            raise ValueError("nothing is sent: give [[load]] steps, or a [knee] to look for")
        if self.load and all(step.warm for step in self.load):
            raise ValueError("load: all steps are warm, so nothing would be measured")
        if self.knee is None and any(step.of_knee is not None for step in self.load):
            raise ValueError("load: 'of_knee' needs a [knee] to look for")
        if self.knee is None and self.expect.knee is not None:
            raise ValueError("expect: 'knee' needs a [knee] to look for")
        return self


def known() -> list[str]:
    """Return the names of the scenarios that come along."""
    folder = resources.files("loadtest") / "scenarios"
    return sorted(file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml"))


def load(name: str, changes: Mapping[str, Any] | None = None) -> Scenario:
    """Return the scenario of a file, or of one that comes along, with `changes` made to it.

    `changes` are values by their place, such as "service.workers". Raises ConfigError with the file and the key.
    """
    path = Path(name)
    if not path.suffix and name in known():
        path = Path(str(resources.files("loadtest") / "scenarios" / f"{name}.toml"))
    try:
        found = read_toml(path.read_bytes())
    except OSError as error:
        raise ConfigError(
            f"cannot read the scenario {name}: {error.strerror}. Give a file, or one of: {', '.join(known())}"
        ) from None
    except ValueError as error:
        raise ConfigError(f"{name}: this is no TOML: {error}") from None
    for place, value in (changes or {}).items():
        if value is not None:
            table, _, key = place.rpartition(".")
            part = found.setdefault(table, {}) if table else found
            if isinstance(part, dict):  # otherwise `parse` says what it should be
                part[key] = value
    found.setdefault("name", path.stem)
    scenario = parse(found, name)
    if missing := [file for file in files_of(scenario, path) if not file.is_file()]:
        raise ConfigError(f"{name}: log.files: there is no file {missing[0]}")
    files = [str(file) for file in files_of(scenario, path)]
    return scenario.model_copy(update={"log": scenario.log.model_copy(update={"files": files})})


def files_of(scenario: Scenario, path: Path) -> Iterable[Path]:
    """Return the log's files, by the folder that the scenario lies in."""
    return (path.parent / file for file in scenario.log.files)


def parse(found: Mapping[str, Any], source: str) -> Scenario:
    """Return the scenario that a TOML document holds. Raises ConfigError with the first key that is wrong."""
    try:
        return Scenario.model_validate(found)
    except ValidationError as error:
        first = error.errors()[0]
        raise ConfigError(f"{source}: {_place(first['loc'])}{_why(first)}") from None


def _place(loc: tuple[int | str, ...]) -> str:
    """Return where a value stands, as a reader of the file counts: load[2].rate."""
    text = ""
    for part in loc:
        if isinstance(part, int):
            text += f"[{part + 1}]"
        elif part.isidentifier():  # pydantic also names the kinds of a union that it tried
            text += f".{part}" if text else part
    return f"{text}: " if text else ""


def _keys(table: tuple[int | str, ...]) -> Iterable[str]:
    """Return the keys that a table may have."""
    parts: dict[str, type[Part]] = {
        "log": Log, "load": Step, "knee": Knee, "service": Service, "event": Event, "expect": Expect,
    }  # fmt: skip
    return (parts[str(table[0])] if table else Scenario).model_fields


def _why(error: Any) -> str:
    if error["type"] == "extra_forbidden":
        return f"unknown key; there are {', '.join(_keys(error['loc'][:-1]))}"
    message = str(error["msg"]).removeprefix("Value error, ").replace("Input", "it")
    if error["type"] == "missing":
        return "is missing"
    given = error.get("input")
    shown = f" (it is {given!r})" if isinstance(given, str | int | float) else ""
    return f"{message}{shown}"

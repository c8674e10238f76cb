"""The options of batch methods, attacks and studies."""

from pathlib import Path

from pydantic import Field
from querymix.settings import FormSettings, LogSettings, MethodSettings, OutputSettings
from querymix.settings.values import Names, Seconds
from querymix.settings.weaker import ANY, weaker

from querymix_lab.batch.base import Options


class BatchSettings(Options, OutputSettings):
    """One batch method over a whole log."""

    seed: int | None = Field(
        None,
        ge=0,
        description="For studies: the same seed, the same result.",
        json_schema_extra=weaker({ANY: "whoever knows the seed draws the same numbers"}),
    )


class AttackSettings(MethodSettings):
    """What a log is released with, as far as the attacker knows, and who judges pairs."""

    seed: int = Field(1, ge=0, description="What chance begins with: the same seed, the same figures.")
    verifier: str | None = Field(
        None,
        description="Program of your own, such as a language model, that judges whether pairs of released queries are "
        "one person's: JSON lines to its standard input, JSON lines back (docs/evaluation.md). Queries go to it alone.",
    )
    verifier_pairs: int = Field(500, ge=20, description="Pairs that the verifier judges.")
    verifier_timeout: Seconds = Field(120.0, gt=0, description="Longest wait for the verifier's next answer.")


class UtilitySettings(LogSettings):
    """What a released log is good for."""

    tasks: Names = Field([], description="Tasks to measure, parted by commas; default: all.")
    seed: int = Field(1, ge=0, description="What chance begins with: the same seed, the same figures.")


class StudySettings(LogSettings):
    """A study of one log over many settings."""

    k: int = Field(20, ge=2, description="The k that the report is about; the other options vary beside it.")
    ks: Names = Field(["2", "5", "10", "20", "50", "100"], description="All k to measure, parted by commas.")
    seed: int = Field(1, ge=0, description="What chance begins with: the same seed, the same figures.")
    processes: int = Field(2, ge=1, description="Settings measured at the same time.")


class CompareSettings(LogSettings):
    """All methods on one log."""

    k: Names = Field(
        ["2", "3", "5", "10", "20"],
        description="All k to measure, parted by commas; a range such as 2..50 stands for usual ones in it.",
    )
    methods: Names = Field([], description="Methods to compare, parted by commas; default: all.")
    seed: int = Field(1, ge=0, description="What chance begins with: the same seed, the same figures.")
    seeds: int = Field(
        3, ge=2, le=100, description="Seeds that each setting runs with: figures are means, with intervals over them."
    )
    wordnet: Path = Field(Path("/usr/share/wordnet"), description="Folder of WordNet 3.0 (clump, partition).")
    processes: int = Field(2, ge=1, description="Settings measured at the same time.")


class ProtocolSettings(FormSettings):
    """A simulation of the client-side protocol."""

    tests: int = Field(30, ge=1, description="Networks of 1,000 users that each figure is the mean of.")
    queries: int = Field(100, ge=1, description="Made-up queries that each user sends.")
    largest: int = Field(
        10_000_000, ge=1000, description="Users of the largest network; 10 million take minutes and 2.6 GiB."
    )
    exponent: float = Field(0.79, ge=0, le=10, description="Exponent of the power law of the numbers of neighbours.")
    zeta: float = Field(0.03, ge=0, le=1, description="What a rejected query costs the trust in whoever rejects it.")
    seed: int = Field(1, ge=0, description="The same seed gives the same figures.")
